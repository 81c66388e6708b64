import { ModelError } from '../chat/modelError.ts'
import type { RunRow } from '../store/rows.ts'
import { StoreUnavailableError } from '../store/storeUnavailableError.ts'
import { createDeltaWriter } from './createDeltaWriter.ts'
import { createRunRecorder, type RunRecorder } from './createRunRecorder.ts'
import { endRun } from './endRun.ts'
import { interruptRun } from './interruptRun.ts'
import { LeaseLostError } from './leaseLostError.ts'
import { runAgentLoop } from './runAgentLoop.ts'
import { RunEndedError } from './runEndedError.ts'
import type { RunTaking } from './runObserver.ts'
import type { RunServices } from './runServices.ts'

/** Carries out runs; a run belongs to nobody's connection. */
export interface RunExecutor {
  /** Works on a run whose lease was taken for this process, under that lease's epoch. */
  execute(run: RunRow, options: { epoch: number; taking: RunTaking }): void
  /** The runs that are worked on here. */
  listWorking(): string[]
  /** Stores what the run has gathered, so that what follows stands after it. */
  flush(runId: string): Promise<void>
  /** Stops the work of a run whose end is stored, or that is another's now; whether there was any. */
  stop(runId: string): boolean
  /** Stops all work, stores what was gathered, and lets go of the leases; the runs stay as they are stored. */
  close(): Promise<void>
}

interface Work {
  recorder: RunRecorder
  controller: AbortController
  done: Promise<void>
}

/** How long a server that closes waits for tools that do not stop, in milliseconds. */
const closeLimit = 5_000

/** Makes the executor of one process. */
export function createRunExecutor(services: RunServices): RunExecutor {
  const { store, observer, setTimer } = services
  const working = new Map<string, Work>()
  const writeDeltas = createDeltaWriter(services)

  const settle = async (run: RunRow, epoch: number, error: unknown) => {
    const { runId } = run
    if (error instanceof RunEndedError) return
    if (error instanceof LeaseLostError) return observer.leaseLost?.(runId)
    // It is still running: once the lease has run out, whoever reaches the database takes it over.
    if (error instanceof StoreUnavailableError) return observer.failed?.(error, { runId })
    if (error instanceof ModelError && error.retryable) {
      await interruptRun(services, { runId, epoch, reason: error.code })
    } else {
      if (!(error instanceof ModelError)) observer.failed?.(error, { runId })
      await fail(services, { runId, epoch, error })
    }
    services.signals.notify(runId)
  }

  return {
    execute(run, { epoch, taking }) {
      const { runId } = run
      const controller = new AbortController()
      const { signal } = controller
      const recorder = createRunRecorder(services, { runId, epoch, writeDeltas })
      observer.runTaken?.(run, { taking, epoch })
      const work = async () => {
        try {
          await runAgentLoop({ services, run, epoch, recorder, signal })
        } catch (error) {
          await recorder.flush().catch(() => undefined)
          if (!signal.aborted) await settle(run, epoch, error).catch((failure) => observer.failed?.(failure, { runId }))
        } finally {
          if (working.get(runId)?.controller === controller) working.delete(runId)
          // Where it goes on elsewhere, nobody need wait for the lease to run out.
          if (signal.aborted) {
            await store.transaction(({ leases }) => leases.release(runId, epoch)).catch(() => undefined)
          }
        }
      }
      const entry: Work = { recorder, controller, done: Promise.resolve() }
      working.set(runId, entry)
      entry.done = work()
    },
    listWorking: () => [...working.keys()],
    async flush(runId) {
      await working.get(runId)?.recorder.flush()
    },
    stop(runId) {
      const work = working.get(runId)
      if (work === undefined || work.controller.signal.aborted) return false
      work.controller.abort()
      return true
    },
    async close() {
      const works = [...working.values()]
      for (const { controller } of works) controller.abort()
      let cancelTimer = () => {}
      const limit = new Promise<void>((resolve) => {
        cancelTimer = setTimer(resolve, closeLimit)
      })
      await Promise.race([Promise.allSettled(works.map(({ done }) => done)), limit])
      cancelTimer()
    },
  }
}

async function fail(
  { store, now }: RunServices,
  { runId, epoch, error: cause }: { runId: string; epoch: number; error: unknown },
): Promise<void> {
  const error =
    cause instanceof ModelError
      ? { message: cause.message, code: cause.code, retryable: cause.retryable }
      : { message: 'The server met an error of its own. Ask again.', code: 'internal_error', retryable: true }
  await store
    .transaction((transaction) => endRun(transaction, { runId, epoch, ending: { type: 'failed', error }, now: now() }))
    .catch((failure: unknown) => {
      if (!(failure instanceof RunEndedError) && !(failure instanceof LeaseLostError)) throw failure
    })
}
