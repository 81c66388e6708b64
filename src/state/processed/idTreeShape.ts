/** How many ids a leaf lists before it becomes a branch, how many trees that holds, and how deep branches go. */
export const idTreeShape = { leafSize: 32, width: 16, maxDepth: 8 } as const
