const maxPageSize = 500

/** How many rows a page holds: what is asked for, within bounds; 100 by default. */
export function boundPageSize(limit = 100): number {
  return Math.min(Math.max(limit, 1), maxPageSize)
}
