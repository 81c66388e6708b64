/** Closes a stream without waiting for it: one that never settles must not hold its reader. */
export function closeIterator(iterator: AsyncIterator<unknown>): void {
  try {
    iterator.return?.()?.then(undefined, () => undefined)
  } catch {
    // The stream is given up; that it cannot even be closed is nobody's concern any more.
  }
}
