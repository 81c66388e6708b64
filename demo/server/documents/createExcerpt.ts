/** The beginning of a document's text for a list, without its Markdown marks; at most 140 characters. */
export function createExcerpt(content: string): string {
  const plain = content
    .slice(0, 2000)
    .replace(/^#+ .*$/gm, ' ')
    .replace(/[*_`>|]|^\s*[-+] /gm, '')
    .replace(/\s+/g, ' ')
    .trim()
  const characters = Array.from(plain)
  return characters.length > 140 ? `${characters.slice(0, 139).join('')}…` : plain
}
