/** What can be subscribed to, as RxJS has it. */
export interface ObservableLike<Value> {
  subscribe(observer: {
    next: (value: Value) => void
    error: (error: unknown) => void
    complete: () => void
  }): { unsubscribe(): void }
}

/** Reads an observable value by value, without losing what comes between two reads; an abort unsubscribes. */
export async function* iterateObservable<Value>(
  observable: ObservableLike<Value>,
  signal: AbortSignal,
): AsyncGenerator<Value, void, undefined> {
  let queue: Value[] = []
  let end: { error?: unknown; hasFailed: boolean } | undefined
  let wake: () => void = () => undefined
  const subscription = observable.subscribe({
    next(value) {
      queue.push(value)
      wake()
    },
    error(error) {
      end ??= { error, hasFailed: true }
      wake()
    },
    complete() {
      end ??= { hasFailed: false }
      wake()
    },
  })
  const onAbort = () => wake()
  signal.addEventListener('abort', onAbort)
  try {
    for (;;) {
      signal.throwIfAborted()
      const values = queue
      queue = []
      yield* values
      if (queue.length > 0) continue
      if (end?.hasFailed) throw end.error
      if (end) return
      await new Promise<void>((resolve) => {
        wake = resolve
        if (queue.length > 0 || end || signal.aborted) resolve()
      })
    }
  } finally {
    signal.removeEventListener('abort', onAbort)
    subscription.unsubscribe()
  }
}
