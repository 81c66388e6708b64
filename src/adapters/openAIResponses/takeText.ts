import type { OpenItem } from './responseState.ts'

/** Counts a piece of one of an item's texts; says whether it is the first. */
export function takePiece(item: OpenItem, name: string | number, piece: string): boolean {
  const before = item.lengths[name]
  item.lengths[name] = (before ?? 0) + piece.length
  item.prints[name] = addToPrint(item.prints[name] ?? 0, piece)
  return before === undefined
}

/**
 * What is still to be told of a text that is whole now: all of it where nothing has streamed. Else nothing, but where
 * a part of the stream may lack: then the rest may never come, as some services tell a response that is over by its
 * end. It is `undefined` where more than the rest lacks: what streamed is not how the whole begins.
 */
export function takeRest(
  item: OpenItem,
  name: string | number,
  whole: string,
  mayLack: boolean,
): string | undefined {
  const length = item.lengths[name]
  if (length === undefined) return whole
  // Some services state nothing as the whole.
  if (!mayLack || whole === '') return ''
  const isBeginning = whole.length >= length && addToPrint(0, whole.slice(0, length)) === item.prints[name]
  return isBeginning ? whole.slice(length) : undefined
}

/** A print of text, in place of the text: a cursor holds it. */
function addToPrint(print: number, text: string): number {
  let next = print
  for (let index = 0; index < text.length; index += 1) next = Math.imul(next ^ text.charCodeAt(index), 16777619)
  return next
}
