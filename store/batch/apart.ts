/**
 * Does what tells the store something. What a part of the app throws meanwhile says nothing of the wire, the command or
 * the storage behind it: it is reported as uncaught, as where the batcher tells by itself.
 */
export function apart(tell: () => void): void {
  try {
    tell()
  } catch (error) {
    queueMicrotask(() => {
      throw error
    })
  }
}
