/**
 * A set of ids as plain JSON: a leaf lists ids, a branch holds 16 trees by the next four bits of the id's hash. Adding
 * copies one path, so that its cost is bounded however many ids there are; looking up is exact.
 */
export type IdTree = readonly string[] | readonly IdTree[]

const leafSize = 32
const width = 16
const maxDepth = 8

/** The tree without ids. */
export const emptyIdTree: IdTree = Object.freeze([])

export function idTreeHas(tree: IdTree, id: string): boolean {
  let node = tree
  for (let bits = hashOf(id); isBranch(node); bits >>>= 4) node = node[bits & 15]!
  return node.includes(id)
}

/** Gives the tree with these ids, none of which it has yet. */
export function idTreeAdd(tree: IdTree, ids: readonly string[]): IdTree {
  return add(tree, ids, ids.map(hashOf), 0)
}

/** Says whether a value from outside is such a tree. */
export function isIdTree(value: unknown, depth = 0): value is IdTree {
  if (!Array.isArray(value)) return false
  if (typeof value[0] !== 'object') return value.every((id) => typeof id === 'string')
  return depth < maxDepth && value.length === width && value.every((child) => isIdTree(child, depth + 1))
}

function add(tree: IdTree, ids: readonly string[], hashes: readonly number[], depth: number): IdTree {
  if (ids.length === 0) return tree
  if (!isBranch(tree)) {
    const all = [...tree, ...ids]
    // In an order of its own, so that the same ids make the same tree however they came in batches.
    if (all.length <= leafSize || depth === maxDepth) return all.sort()
    const branch: IdTree[] = Array.from({ length: width }, () => emptyIdTree)
    return add(branch, all, [...tree.map((id) => hashOf(id) >>> (4 * depth)), ...hashes], depth)
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

function isBranch(tree: IdTree): tree is readonly IdTree[] {
  return typeof tree[0] === 'object'
}

// FNV-1a over UTF-16 units, then mixed: ids often differ in their last digits only.
function hashOf(id: string): number {
  let hash = 0x811c9dc5
  for (let index = 0; index < id.length; index += 1) hash = Math.imul(hash ^ id.charCodeAt(index), 0x01000193)
  return (hash ^ (hash >>> 15)) >>> 0
}
