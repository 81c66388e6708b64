import { phrases, type PhraseKey } from './phrases.ts'

/** Says something in the person's language; `{name}` is filled in, whatever it holds. */
export function speak(
  { language }: { language: 'en' | 'zh' },
  key: PhraseKey,
  values: Readonly<Record<string, string>> = {},
): string {
  return phrases[key][language].replace(/\{(\w+)\}/g, (whole, name: string) => values[name] ?? whole)
}
