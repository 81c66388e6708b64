import { hashIdAt } from './hashIdAt.ts'
import type { IdTree } from './idTree.ts'
import { idTreeShape } from './idTreeShape.ts'
import { isIdBranch } from './isIdBranch.ts'

const { width, bits, hashDepth } = idTreeShape

/** Says exactly whether a tree has an id. */
export function idTreeHas(tree: IdTree, id: string): boolean {
  let node = tree
  let hash = hashIdAt(id, 0)
  for (let depth = 0; isIdBranch(node); depth += 1) {
    if (depth === hashDepth) hash = hashIdAt(id, depth)
    node = node[hash & (width - 1)]!
    hash >>>= bits
  }
  return node.includes(id)
}
