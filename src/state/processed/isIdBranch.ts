import type { IdTree } from './idTree.ts'

/** Says whether a tree holds trees; else it lists ids. */
export function isIdBranch(tree: IdTree): tree is readonly IdTree[] {
  return typeof tree[0] === 'object'
}
