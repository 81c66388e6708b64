import type { IdTree } from './idTree.ts'

/** The tree without ids. */
export const emptyIdTree: IdTree = Object.freeze([])
