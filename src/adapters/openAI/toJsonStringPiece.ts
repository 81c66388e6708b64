/** A piece of text as it stands inside a JSON string; pieces may be cut anywhere, a pair of surrogates included. */
export function toJsonStringPiece(text: string): string {
  return JSON.stringify(text).slice(1, -1)
}
