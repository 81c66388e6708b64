/** A place where a script waits until the test lets it on. */
export interface Gate {
  /** Resolves when the script has come to the gate. */
  readonly reached: Promise<void>
  /** Resolves when the gate is open. */
  readonly opened: Promise<void>
  open(): void
  /** Comes to the gate and waits there; rejects with the signal's reason after an abort. */
  pass(signal?: AbortSignal): Promise<void>
}

/**
 * Makes a gate, so that a test can hold a stream at an exact place without a clock.
 *
 * @example
 * const gate = createGate()
 * const provider = createScriptedProvider({ steps: [{ events: started }, { gate }, { events: completed }] })
 * await gate.reached
 * gate.open()
 */
export function createGate(): Gate {
  const reached = createSignal()
  const opened = createSignal()
  return {
    reached: reached.promise,
    opened: opened.promise,
    open: opened.resolve,
    pass(signal) {
      reached.resolve()
      return new Promise((resolve, reject) => {
        const onAbort = () => reject(signal?.reason)
        if (signal?.aborted) return onAbort()
        signal?.addEventListener('abort', onAbort, { once: true })
        void opened.promise.finally(() => signal?.removeEventListener('abort', onAbort)).then(resolve)
      })
    },
  }
}

function createSignal(): { promise: Promise<void>; resolve: () => void } {
  let resolve!: () => void
  const promise = new Promise<void>((settle) => (resolve = settle))
  return { promise, resolve }
}
