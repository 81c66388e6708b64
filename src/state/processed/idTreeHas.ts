import { hashId } from './hashId.ts'
import type { IdTree } from './idTree.ts'
import { isIdBranch } from './isIdBranch.ts'

/** Says exactly whether a tree has an id. */
export function idTreeHas(tree: IdTree, id: string): boolean {
  let node = tree
  for (let bits = hashId(id); isIdBranch(node); bits >>>= 4) node = node[bits & 15]!
  return node.includes(id)
}
