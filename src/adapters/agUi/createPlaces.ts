import { toBatches } from '../../provider/toBatches.ts'
import { flattenBatches } from '../../transport/flattenBatches.ts'
import { fitsState } from '../support/fitsState.ts'
import type { AgUiChunk } from './agUiChunk.ts'
import type { AgUiPlace } from './agUiProgress.ts'
import { createDigest } from './createDigest.ts'

/** Finds out where a stream goes on after each of its chunks, also where the runtime names only some of those places. */
export interface Places {
  of(chunk: AgUiChunk): AgUiPlace | undefined
  /** Reads a stream on from a place: what came after the last cursor, and comes again, is left out. */
  follow(stream: AsyncIterable<AgUiChunk>, from?: AgUiPlace): AsyncIterable<AgUiChunk>
}

export function createPlaces(getCursor: (chunk: AgUiChunk) => string | undefined): Places {
  const places = new WeakMap<AgUiChunk, AgUiPlace>()

  async function* read(stream: AsyncIterable<AgUiChunk>, from: AgUiPlace | undefined) {
    const batches = toBatches(stream)
    let place = from
    /** What comes again, and is yet to come. */
    let again = from?.since?.count ?? 0
    let isDone = false
    try {
      for (let batch = await batches.next(); !batch.done; batch = await batches.next()) {
        const kept: AgUiChunk[] = []
        for (const chunk of batch.value) {
          if (again > 0 && again === from?.since?.count && digestOf(chunk) !== from.since.first) {
            // The runtime goes on where the wire was lost: it knows more places than it names.
            again = 0
            place = { after: from.after }
          }
          if (again > 0) {
            again -= 1
            continue
          }
          place = next(place, chunk)
          if (place) places.set(chunk, place)
          kept.push(chunk)
        }
        yield kept
      }
      isDone = true
    } finally {
      if (!isDone) await batches.return?.()
    }
  }

  // What state cannot hold is the reader's to refuse.
  const digestOf = ({ data }: AgUiChunk) => (fitsState(data) ? createDigest(data) : '')

  function next(place: AgUiPlace | undefined, chunk: AgUiChunk): AgUiPlace | undefined {
    const cursor = getCursor(chunk) ?? place?.after
    if (cursor === undefined) return undefined
    if (cursor !== place?.after) return { after: cursor }
    // An event stream's last id stands until there is another.
    const { count = 0, first = digestOf(chunk) } = place.since ?? {}
    return { after: cursor, since: { count: count + 1, first } }
  }

  return {
    of: (chunk) => places.get(chunk),
    follow: (stream, from) => flattenBatches(read(stream, from)),
  }
}
