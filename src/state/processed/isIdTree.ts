import type { IdTree } from './idTree.ts'
import { idTreeShape } from './idTreeShape.ts'

const { width, maxDepth } = idTreeShape

/** Says whether a value from outside is such a tree. */
export function isIdTree(value: unknown, depth = 0): value is IdTree {
  if (!Array.isArray(value)) return false
  if (typeof value[0] !== 'object') return value.every((id) => typeof id === 'string')
  return depth < maxDepth && value.length === width && value.every((child) => isIdTree(child, depth + 1))
}
