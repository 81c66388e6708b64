/** The text up to the end of its first sentence, in English or Chinese. */
export function getFirstSentence(text: string): string {
  return /^[\s\S]*?(?:[.!?](?=\s|$)|[。！？])/.exec(text)?.[0] ?? text
}
