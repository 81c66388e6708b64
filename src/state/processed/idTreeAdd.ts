import { emptyIdTree } from './emptyIdTree.ts'
import { hashIdAt } from './hashIdAt.ts'
import type { IdTree } from './idTree.ts'
import { idTreeShape } from './idTreeShape.ts'
import { isIdBranch } from './isIdBranch.ts'

const { leafSize, width, bits, maxDepth, hashDepth } = idTreeShape

/** Gives the tree with these ids, none of which it has yet. */
export function idTreeAdd(tree: IdTree, ids: readonly string[]): IdTree {
  return add(tree, ids, hashesOf(ids, 0), 0)
}

const hashesOf = (ids: readonly string[], depth: number) => ids.map((id) => hashIdAt(id, depth))

function add(tree: IdTree, ids: readonly string[], hashes: readonly number[], depth: number): IdTree {
  if (ids.length === 0) return tree
  if (!isIdBranch(tree)) {
    const all = [...tree, ...ids]
    // In an order of its own, so that the same ids make the same tree however they came in batches.
    if (all.length <= leafSize || depth === maxDepth) return all.sort()
    const branch: IdTree[] = Array.from({ length: width }, () => emptyIdTree)
    return add(branch, all, [...hashesOf(tree, depth), ...hashes], depth)
  }
  const idsOf: string[][] = Array.from({ length: width }, () => [])
  const restOf: number[][] = Array.from({ length: width }, () => [])
  ids.forEach((id, index) => {
    const hash = hashes[index]!
    const place = hash & (width - 1)
    idsOf[place]!.push(id)
    restOf[place]!.push(depth + 1 === hashDepth ? hashIdAt(id, hashDepth) : hash >>> bits)
  })
  return tree.map((child, index) => add(child, idsOf[index]!, restOf[index]!, depth + 1))
}
