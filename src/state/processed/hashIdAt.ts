import { hashId } from './hashId.ts'
import { idTreeShape } from './idTreeShape.ts'

const { bits, hashDepth } = idTreeShape

/**
 * The bits of an id's hashes from a depth on. Whoever chooses ids can let thousands have one hash: below it a second one
 * tells these apart, which goes from the end, so that what makes the first alike does not make the second.
 */
export function hashIdAt(id: string, depth: number): number {
  return depth < hashDepth ? hashId(id) >>> (bits * depth) : hashFromEnd(id) >>> (bits * (depth - hashDepth))
}

function hashFromEnd(id: string): number {
  let hash = 0x9e3779b9
  for (let index = id.length - 1; index >= 0; index -= 1) {
    hash = Math.imul(hash ^ id.charCodeAt(index), 0x5bd1e995)
    hash ^= hash >>> 13
  }
  return hash >>> 0
}
