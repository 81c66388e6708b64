/** Adds items to a list; a call that is given very many at once, as by a spread, overflows the stack. */
export function append<Item>(list: Item[], items: Iterable<Item>): void {
  for (const item of items) list.push(item)
}
