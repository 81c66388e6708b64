import type { RunSignals } from '../runs/createRunSignals.ts'
import { getRunEnding } from '../runs/getRunEnding.ts'
import { hasEnded } from '../runs/hasEnded.ts'
import type { RunObserver } from '../runs/runObserver.ts'
import type { ResumeUnavailable } from '../runs/takeUpRun.ts'
import type { SetTimer } from '../setTimer.ts'
import type { CheckpointPlace, EventRow, RunRow } from '../store/rows.ts'
import type { RunServerStore } from '../store/runServerStore.ts'
import { formatControlFrame, formatEventFrame, type ControlFrame } from './sseFrame.ts'

/** What followers need; times are in milliseconds. */
export interface RunStreamServices {
  store: RunServerStore
  signals: RunSignals
  setTimer: SetTimer
  keepAliveMs: number
  /** How long a stream stays open while an approval waits. */
  parkAfterMs: number
  /** How long a reader may leave what it was sent unread; then its stream is cut, and it goes on from its cursor. */
  stallMs: number
  /** Aborted when the server closes: streams end then, without an `end`. */
  closing: AbortSignal
  /** Is told why a log could not be read. */
  failed?: RunObserver['failed']
}

const pageSize = 200

/**
 * Replays a run's log after a cursor, then follows it to its end. It registers for signals before it reads and every
 * event comes from the log, so that replay and following have no seam; it reads only as fast as it is read, so that a
 * slow reader costs one page. When the reader leaves, the run goes on.
 */
export function createRunStream(
  services: RunStreamServices,
  options: {
    runId: string
    after: number
    first: ControlFrame
    unavailable?: ResumeUnavailable
    /** Is told what was given to a reader that had all before it. */
    onDelivered?(rows: readonly EventRow[]): void
    onClose?(): void
    /** Breaks the line of a reader that has stopped reading; without it the stream fails. */
    abandon?: (() => void) | undefined
  },
): ReadableStream<Uint8Array> {
  const { store, signals, setTimer, keepAliveMs, parkAfterMs, stallMs, closing } = services
  const { runId, first, unavailable } = options
  const encoder = new TextEncoder()
  let cursor = options.after
  /** Checkpoints at the cursor that the reader was told of, as soon as it is known which it need not be told of. */
  let told: Set<CheckpointPlace['kind']> | undefined
  let changed = true
  let wake = () => {}
  let waitingSince: number | null = null
  let isParked = false
  let isClosed = false
  let isLive = false
  /** The run as it was read with the last of its rows: until a signal comes there is nothing more to read. */
  let dryRun: RunRow | undefined
  let stalledMs = 0
  let cancelParking: (() => void) | undefined
  let cancelKeepAlive: (() => void) | undefined
  const notice = () => {
    changed = true
    wake()
  }
  const unsubscribe = signals.subscribe(runId, notice)
  closing.addEventListener('abort', notice)

  const release = () => {
    if (isClosed) return
    isClosed = true
    options.onClose?.()
    unsubscribe()
    closing.removeEventListener('abort', notice)
    cancelParking?.()
    cancelKeepAlive?.()
    wake()
  }
  /** Counts anew for each wait. */
  const watchWaiting = (run: RunRow) => {
    if (run.waitingSince === waitingSince) return
    waitingSince = run.waitingSince
    isParked = false
    cancelParking?.()
    if (waitingSince === null) return
    cancelParking = setTimer(() => {
      isParked = true
      notice()
    }, parkAfterMs)
  }
  // The run first: what it says has ended then stands in the log that is read after it.
  const readPage = () =>
    store.glance(async (transaction) => {
      const [run, rows, places] = await Promise.all([
        transaction.runs.get(runId),
        transaction.events.list({ runId, after: cursor, limit: pageSize }),
        // At the cursor too: one may be taken after its event was read. Sequences are dense: a page ends by then.
        transaction.checkpoints.listPlaces({ runId, after: cursor - 1, through: cursor + pageSize }),
      ])
      return { run, rows, places }
    })
  /** Events in their order, each followed by the checkpoints that were taken at it; what comes late comes first. */
  const formatPage = (rows: readonly EventRow[], places: readonly CheckpointPlace[]): string => {
    const kinds = new Map<number, CheckpointPlace['kind'][]>()
    for (const { seq, kind } of places) kinds.set(seq, [...(kinds.get(seq) ?? []), kind])
    const kindsAt = (seq: number) => kinds.get(seq) ?? []
    const late = kindsAt(cursor).filter((kind) => told !== undefined && !told.has(kind))
    const texts = [formatCheckpoints(runId, cursor, late)]
    for (const row of rows) texts.push(formatEventFrame(row), formatCheckpoints(runId, row.seq, kindsAt(row.seq)))
    cursor = rows[rows.length - 1]?.seq ?? cursor
    told = new Set(kindsAt(cursor))
    return texts.join('')
  }
  const waitForChange = () =>
    new Promise<void>((resolve) => {
      wake = resolve
      if (changed || isClosed) resolve()
    })

  return new ReadableStream<Uint8Array>(
    {
      start(controller) {
        controller.enqueue(encoder.encode(formatControlFrame(first)))
        const schedule = () => {
          if (!isClosed) cancelKeepAlive = setTimer(keepAlive, keepAliveMs)
        }
        const keepAlive = () => {
          if ((controller.desiredSize ?? 0) > 0) {
            stalledMs = 0
            controller.enqueue(encoder.encode(': keep-alive\n\n'))
          } else {
            // A reader that does not keep up needs no sign of life; one that has stopped reading must not hold memory.
            stalledMs += keepAliveMs
            if (stalledMs >= stallMs) {
              release()
              if (options.abandon !== undefined) return options.abandon()
              return controller.error(new Error('The reader stopped reading, so that its stream was cut.'))
            }
          }
          // Not at once: the reader gets a turn before the next look, however late timers are.
          void Promise.resolve().then(schedule)
        }
        schedule()
      },
      async pull(controller) {
        stalledMs = 0
        const send = (...frames: readonly ControlFrame[]) => {
          for (const frame of frames) controller.enqueue(encoder.encode(formatControlFrame(frame)))
        }
        const cut = (...frames: readonly ControlFrame[]) => {
          send(...frames)
          release()
          controller.close()
        }
        while (!isClosed) {
          if (closing.aborted) return cut()
          if (dryRun !== undefined && !changed) {
            watchWaiting(dryRun)
            isLive = true
            await waitForChange()
            continue
          }
          changed = false
          dryRun = undefined
          const page = await readPage().catch((error: unknown) => services.failed?.(error, { runId }))
          if (isClosed) return
          // Where the log cannot be read, the stream ends without an end, and its reader comes again.
          if (page === undefined) return cut()
          const { rows, run, places } = page
          const last = rows[rows.length - 1]
          const text = formatPage(rows, places)
          if (text !== '') {
            controller.enqueue(encoder.encode(text))
            if (last !== undefined && isLive) options.onDelivered?.(rows)
            if (run?.status === 'running' && rows.length < pageSize) dryRun = run
            if (last !== undefined && getRunEnding(last.event.type) !== undefined) {
              cut({ type: 'end', runId, seq: cursor })
            }
            return
          }
          const isOver = run === undefined || hasEnded(run.status)
          // Retention dropped what follows: its end was not seen, and whoever comes again is told so.
          if (isOver && run !== undefined && cursor < run.lastSeq) return cut()
          if (isOver) return cut({ type: 'end', runId, seq: cursor })
          // Not over: whoever resumes it has it taken up again.
          if (run.status === 'interrupted') {
            if (unavailable === undefined) return cut()
            return cut({ type: 'resume-unavailable', runId, seq: cursor, ...unavailable })
          }
          watchWaiting(run)
          if (isParked) return cut({ type: 'parked', runId, seq: cursor })
          isLive = true
          await waitForChange()
        }
      },
      cancel: release,
    },
    { highWaterMark: 1 },
  )
}

function formatCheckpoints(runId: string, seq: number, kinds: readonly CheckpointPlace['kind'][]): string {
  return kinds.map((kind) => formatControlFrame({ type: 'checkpoint', runId, seq, checkpointKind: kind })).join('')
}
