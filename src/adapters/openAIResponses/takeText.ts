import type { OpenItem } from './responseState.ts'

/** Counts a piece of one of an item's texts; says whether it is the first. */
export function takePiece(item: OpenItem, name: string | number, piece: string): boolean {
  const before = item.lengths[name]
  item.lengths[name] = (before ?? 0) + piece.length
  return before === undefined
}

/**
 * What is still to be told of a text that is whole now: all of it where nothing has streamed. Else nothing, but where
 * a part of the stream may lack: then the rest may never come, as some services tell a response that is over by its
 * end.
 */
export function takeRest(item: OpenItem, name: string | number, whole: string, mayLack: boolean): string {
  const length = item.lengths[name]
  if (length !== undefined && !mayLack) return ''
  return whole.slice(length ?? 0)
}
