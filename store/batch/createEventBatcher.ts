import type { AgentEvent } from '../../src/protocol/agentEvent.ts'
import { isDelta } from '../../src/state/isDelta.ts'
import { setOwn } from '../../src/state/ownRecord.ts'
import type { AgentEnvironment } from './agentEnvironment.ts'
import { flushApart } from './flushApart.ts'

/** How events are gathered before the store is told. */
export interface AgentBatchOptions {
  /** How long deltas are gathered where no frame comes: a hidden tab, a server. In milliseconds, 50 by default; with `Infinity` frames alone count. */
  maxDelay?: number
  /** How many events are gathered at the most; 1,000 by default. */
  maxEvents?: number
}

/** Gathers events, so that the store is told once a flush. */
export interface EventBatcher {
  push(sessionId: string, event: AgentEvent): void
  /** Moves a run's cursor in the same call as the events before it. */
  moveCursor(sessionId: string, run: { runId: string; cursor: string }): void
  /** Tells the store what has been gathered, in order, one call a session. */
  flush(): void
}

/** What a session is told at once. */
export interface EventBatch {
  readonly events: readonly AgentEvent[]
  /** By run; there are none where no wire of the session can be taken up again. */
  readonly cursors?: Readonly<Record<string, string>> | undefined
}

/**
 * Makes a batcher. Deltas wait for the next frame, or for a timer where none comes; whatever else happens is told at
 * the end of the present task's synchronous work, so that the events of one chunk still go together.
 */
export function createEventBatcher(options: {
  deliver(sessionId: string, batch: EventBatch): void
  environment: AgentEnvironment
  batch: Required<AgentBatchOptions>
}): EventBatcher {
  const { deliver, environment, batch } = options
  const { maxDelay, maxEvents } = batch
  let waiting = new Map<string, { events: AgentEvent[]; cursors?: Record<string, string> }>()
  let size = 0
  let isUrgent = false
  let cancelScheduled: (() => void) | undefined

  function schedule() {
    const cancelTimer = environment.setTimer(flush, maxDelay)
    const cancelFrame = environment.requestFrame?.(flush)
    cancelScheduled = () => {
      cancelTimer()
      cancelFrame?.()
    }
  }

  function scheduleUrgent() {
    isUrgent = true
    queueMicrotask(() => {
      if (isUrgent) flush()
    })
  }

  function flush() {
    cancelScheduled?.()
    cancelScheduled = undefined
    isUrgent = false
    if (waiting.size === 0) return
    const batches = waiting
    waiting = new Map()
    size = 0
    tell(batches.entries())
  }

  // One session after another; what the app throws while it is told of one does not cost the next its events.
  function tell(batches: Iterator<[string, EventBatch]>) {
    const { done, value } = batches.next()
    if (done) return
    try {
      deliver(...value)
    } finally {
      tell(batches)
    }
  }

  function batchOf(sessionId: string) {
    let batch = waiting.get(sessionId)
    if (!batch) waiting.set(sessionId, (batch = { events: [] }))
    return batch
  }

  return {
    flush,
    push(sessionId, event) {
      batchOf(sessionId).events.push(event)
      size += 1
      if (size >= maxEvents) flushApart({ flush })
      else if (!isDelta(event)) {
        if (!isUrgent) scheduleUrgent()
      } else if (!isUrgent && !cancelScheduled) schedule()
    },
    moveCursor(sessionId, { runId, cursor }) {
      const batch = batchOf(sessionId)
      setOwn((batch.cursors ??= {}), runId, cursor)
      // Where the events before it went already, as the batch was full, it waits for nothing in particular.
      if (!isUrgent && !cancelScheduled) schedule()
    },
  }
}
