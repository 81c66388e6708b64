import type { RunSignals } from '../runs/createRunSignals.ts'
import { getRunEnding } from '../runs/getRunEnding.ts'
import { hasEnded } from '../runs/hasEnded.ts'
import type { SetTimer } from '../setTimer.ts'
import type { RunRow } from '../store/rows.ts'
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
  /** Aborted when the server closes: streams end then, without an `end`. */
  closing: AbortSignal
}

const pageSize = 200

/**
 * Replays a run's log after a cursor, then follows it to its end. It registers for signals before it reads and every
 * event comes from the log, so that replay and following have no seam; it reads only as fast as it is read, so that a
 * slow reader costs one page. When the reader leaves, the run goes on.
 */
export function createRunStream(
  services: RunStreamServices,
  options: { runId: string; after: number; first: ControlFrame },
): ReadableStream<Uint8Array> {
  const { store, signals, setTimer, keepAliveMs, parkAfterMs, closing } = services
  const { runId, first } = options
  const encoder = new TextEncoder()
  let cursor = options.after
  let changed = true
  let wake = () => {}
  let waitingSince: number | null = null
  let isParked = false
  let isClosed = false
  let cancelParking: (() => void) | undefined
  let cancelKeepAlive: (() => void) | undefined
  const notice = () => {
    changed = true
    wake()
  }
  const unsubscribe = signals.subscribe(runId, notice)
  closing.addEventListener('abort', notice)

  const release = () => {
    isClosed = true
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
  const readPage = () =>
    store.read(async (transaction) => ({
      rows: await transaction.events.list({ runId, after: cursor, limit: pageSize }),
      run: await transaction.runs.get(runId),
    }))
  const waitForChange = () =>
    new Promise<void>((resolve) => {
      wake = resolve
      if (changed || isClosed) resolve()
    })

  return new ReadableStream<Uint8Array>(
    {
      start(controller) {
        controller.enqueue(encoder.encode(formatControlFrame(first)))
        const keepAlive = () => {
          // A reader that does not keep up needs no sign of life.
          if ((controller.desiredSize ?? 0) > 0) controller.enqueue(encoder.encode(': keep-alive\n\n'))
          cancelKeepAlive = setTimer(keepAlive, keepAliveMs)
        }
        cancelKeepAlive = setTimer(keepAlive, keepAliveMs)
      },
      async pull(controller) {
        const end = (type: 'end' | 'parked') => {
          controller.enqueue(encoder.encode(formatControlFrame({ type, runId, seq: cursor })))
          release()
          controller.close()
        }
        const cut = () => {
          release()
          controller.close()
        }
        while (!isClosed) {
          changed = false
          if (closing.aborted) return cut()
          const { rows, run } = await readPage()
          if (isClosed) return
          const last = rows[rows.length - 1]
          if (last !== undefined) {
            cursor = last.seq
            controller.enqueue(encoder.encode(rows.map(formatEventFrame).join('')))
            if (getRunEnding(last.event.type) !== undefined) end('end')
            return
          }
          if (run === undefined || hasEnded(run.status)) return end('end')
          // Not over: whoever resumes it has it taken up again.
          if (run.status === 'interrupted') return cut()
          watchWaiting(run)
          if (isParked) return end('parked')
          await waitForChange()
        }
      },
      cancel: release,
    },
    { highWaterMark: 1 },
  )
}
