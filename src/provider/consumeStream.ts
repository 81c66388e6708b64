import { callProvider } from './callProvider.ts'
import { closeIterator } from './closeIterator.ts'
import { ProviderFailure } from './providerFailure.ts'
import { toBatches } from './toBatches.ts'

/** How many values are taken before the host may have its turn. */
const partSize = 256

/**
 * Reads a stream to its end, value by value, and closes it on every other exit. An abort ends the reading at once,
 * also where the stream itself does not notice it.
 *
 * @returns whether the stream came to its end; not, where the signal was aborted.
 * @throws ProviderFailure where reading fails; what `onValue` throws, as it is.
 */
export async function consumeStream<Value>(options: {
  /** What it throws comes out as it is; `callProvider` makes a ProviderFailure of it. */
  open: () => AsyncIterable<Value>
  signal: AbortSignal
  onValue: (value: Value) => void
  /** Asked after each batch of so many values: a promise holds the reading up until the host had its turn. */
  pause?: ((values: number) => Promise<void> | undefined) | undefined
}): Promise<boolean> {
  const { open, signal, onValue, pause } = options
  if (signal.aborted) return false
  const stream = open()
  const batches = callProvider(() => toBatches(stream), 'transport')
  let waiting = false
  let done = false

  async function read(): Promise<void> {
    while (!signal.aborted) {
      let batch: IteratorResult<readonly Value[]>
      waiting = true
      try {
        batch = await batches.next()
      } catch (error) {
        throw new ProviderFailure(error, 'transport')
      }
      waiting = false
      if (signal.aborted) return
      if (batch.done) {
        done = true
        return
      }
      for (let from = 0; from < batch.value.length && !signal.aborted; from += partSize) {
        const part = batch.value.slice(from, from + partSize)
        for (let index = 0; index < part.length && !signal.aborted; index += 1) onValue(part[index]!)
        const turn = pause?.(part.length)
        if (turn) await turn
      }
    }
  }

  let onAbort: (() => void) | undefined
  // An abort out of `onValue` is left to the loop, so that what `onValue` then throws is not lost.
  const abortedWhileWaiting = new Promise<void>((resolve) => {
    onAbort = () => {
      if (waiting) resolve()
    }
  })
  signal.addEventListener('abort', onAbort!)
  try {
    await Promise.race([read(), abortedWhileWaiting])
    return done
  } finally {
    signal.removeEventListener('abort', onAbort!)
    if (!done) closeIterator(batches)
  }
}
