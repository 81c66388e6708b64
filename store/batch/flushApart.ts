/**
 * Tells the store what has been gathered. What a part of the app throws meanwhile says nothing of the wire or the
 * command that brought it: it is reported as uncaught, as where the batcher tells by itself.
 */
export function flushApart(batcher: { flush(): void }): void {
  try {
    batcher.flush()
  } catch (error) {
    queueMicrotask(() => {
      throw error
    })
  }
}
