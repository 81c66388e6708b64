import type { SetTimer } from '../setTimer.ts'
import type { RunSignals } from './createRunSignals.ts'

/**
 * Waits until `read` gives something: it registers for the run's signals first and then reads again at each, so that
 * nothing falls between. Gives undefined when `timeout` milliseconds have passed.
 *
 * @throws the signal's reason when it aborts.
 */
export async function waitForRun<Value>(options: {
  runId: string
  signals: RunSignals
  signal: AbortSignal
  read(): Promise<Value | undefined>
  timeout?: { milliseconds: number; setTimer: SetTimer }
}): Promise<Value | undefined> {
  const { runId, signals, signal, read, timeout } = options
  let changed = false
  let expired = false
  let wake = () => {}
  const unsubscribe = signals.subscribe(runId, () => {
    changed = true
    wake()
  })
  const onAbort = () => wake()
  signal.addEventListener('abort', onAbort)
  const cancelTimer = timeout?.setTimer(() => {
    expired = true
    wake()
  }, timeout.milliseconds)
  try {
    for (;;) {
      signal.throwIfAborted()
      changed = false
      const value = await read()
      if (value !== undefined) return value
      if (expired) return undefined
      if (changed || signal.aborted) continue
      await new Promise<void>((resolve) => {
        wake = resolve
      })
    }
  } finally {
    unsubscribe()
    cancelTimer?.()
    signal.removeEventListener('abort', onAbort)
  }
}
