import { toBatches } from '../../provider/toBatches.ts'
import { closeIterator } from '../../provider/closeIterator.ts'
import { flattenBatches } from '../../transport/flattenBatches.ts'
import type { AdapterChunk } from '../support/adapterChunk.ts'

/** Ends a stream at its `[DONE]`, whether or not the server closes it there. Without one it ends where it ends. */
export function endAtDone(stream: AsyncIterable<AdapterChunk>): AsyncIterable<AdapterChunk> {
  return flattenBatches(readToDone(toBatches(stream)))
}

async function* readToDone(
  batches: AsyncIterator<readonly AdapterChunk[]>,
): AsyncGenerator<readonly AdapterChunk[], void, undefined> {
  try {
    for (;;) {
      const { done, value } = await batches.next()
      if (done) return
      const last = value.findIndex(({ isDone }) => isDone)
      yield last === -1 ? value : value.slice(0, last + 1)
      if (last !== -1) return
    }
  } finally {
    closeIterator(batches)
  }
}
