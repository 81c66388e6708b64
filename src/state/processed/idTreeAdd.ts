import { emptyIdTree } from './emptyIdTree.ts'
import { hashId } from './hashId.ts'
import type { IdTree } from './idTree.ts'
import { idTreeShape } from './idTreeShape.ts'
import { isIdBranch } from './isIdBranch.ts'

const { leafSize, width, maxDepth } = idTreeShape

/** Gives the tree with these ids, none of which it has yet. */
export function idTreeAdd(tree: IdTree, ids: readonly string[]): IdTree {
  return add(tree, ids, ids.map(hashId), 0)
}

function add(tree: IdTree, ids: readonly string[], hashes: readonly number[], depth: number): IdTree {
  if (ids.length === 0) return tree
  if (!isIdBranch(tree)) {
    const all = [...tree, ...ids]
    // In an order of its own, so that the same ids make the same tree however they came in batches.
    if (all.length <= leafSize || depth === maxDepth) return all.sort()
    const branch: IdTree[] = Array.from({ length: width }, () => emptyIdTree)
    return add(branch, all, [...tree.map((id) => hashId(id) >>> (4 * depth)), ...hashes], depth)
  }
  const idsOf: string[][] = Array.from({ length: width }, () => [])
  const hashesOf: number[][] = Array.from({ length: width }, () => [])
  ids.forEach((id, index) => {
    const hash = hashes[index]!
    idsOf[hash & 15]!.push(id)
    hashesOf[hash & 15]!.push(hash >>> 4)
  })
  return tree.map((child, index) => add(child, idsOf[index]!, hashesOf[index]!, depth + 1))
}
