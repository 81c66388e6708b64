/**
 * How many ids a leaf lists before it becomes a branch, how many trees that holds, by how many bits of a hash, how deep
 * branches go, and from which depth on by a second hash.
 */
export const idTreeShape = { leafSize: 32, width: 16, bits: 4, maxDepth: 16, hashDepth: 8 } as const
