import type { Intent, IntentRule } from './intent.ts'

const open = '["“\'‘「『]'
const close = '["”\'’」』]'

/** Makes a rule of the parts of a pattern, which has to match all of a prompt; `<name>` stands for a quoted text. */
export function defineRule(kind: Intent['kind'], ...parts: readonly string[]): IntentRule {
  const source = parts.join('').replace(/(?<!\(\?)<(\w+)>/g, (_whole, name: string) => `${open}(?<${name}>.*?)${close}`)
  return { kind, pattern: new RegExp(`^(?:${source})$`, 'i') }
}
