import { toCanonicalText } from '../../protocol/toCanonicalText.ts'

/**
 * Makes an id of any JSON: the same for the same value, whatever the order of its keys, and as a UUID has it (version
 * 8). It keeps answers apart, and hides nothing.
 */
export function createDigest(value: unknown): string {
  const text = toCanonicalText(value)
  const hex = [0x811c9dc5, 0x01000193, 0x9e3779b9, 0x85ebca6b].map((seed) => hash(text, seed)).join('')
  const variant = ((Number.parseInt(hex[16]!, 16) & 0x3) | 0x8).toString(16)
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20)}`
}

/** FNV-1a with a seed, mixed at the end as MurmurHash does. */
function hash(text: string, seed: number): string {
  let value = seed
  for (let index = 0; index < text.length; index += 1) value = Math.imul(value ^ text.charCodeAt(index), 0x01000193)
  value = Math.imul(value ^ (value >>> 16), 0x85ebca6b)
  value = Math.imul(value ^ (value >>> 13), 0xc2b2ae35)
  return ((value ^ (value >>> 16)) >>> 0).toString(16).padStart(8, '0')
}
