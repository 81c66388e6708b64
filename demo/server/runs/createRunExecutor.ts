import { ModelError } from '../chat/modelError.ts'
import type { RunRow } from '../store/rows.ts'
import { createRunRecorder, type RunRecorder } from './createRunRecorder.ts'
import { endRun } from './endRun.ts'
import { runAgentLoop } from './runAgentLoop.ts'
import { RunEndedError } from './runEndedError.ts'
import type { RunServices } from './runServices.ts'

/** Carries out runs; a run belongs to nobody's connection. */
export interface RunExecutor {
  execute(run: RunRow): void
  /** Stores what the run has gathered, so that what follows stands after it. */
  flush(runId: string): Promise<void>
  /** Stops the work of a run whose end is stored. */
  stop(runId: string): void
  /** Stops all work and waits for it; the runs stay as they are stored. */
  close(): Promise<void>
}

/** Makes the executor of one process. */
export function createRunExecutor(services: RunServices): RunExecutor {
  const { store, signals, now } = services
  const working = new Map<string, { recorder: RunRecorder; controller: AbortController; done: Promise<void> }>()

  const fail = async (runId: string, cause: unknown) => {
    const error =
      cause instanceof ModelError
        ? { message: cause.message, code: cause.code, retryable: cause.retryable }
        : { message: 'The server met an error of its own. Ask again.', code: 'internal_error', retryable: true }
    if (!(cause instanceof ModelError)) console.error(cause)
    await store.transaction((transaction) =>
      endRun(transaction, { runId, ending: { type: 'failed', error }, now: now() }),
    )
    signals.notify(runId)
  }

  return {
    execute(run) {
      const { runId } = run
      const { setTimer, settings } = services
      const controller = new AbortController()
      const { signal } = controller
      const recorder = createRunRecorder({ runId, store, signals, setTimer, gatherMs: settings.gatherMs, now })
      const work = async () => {
        try {
          await runAgentLoop({ services, run, recorder, signal })
        } catch (error) {
          if (signal.aborted || error instanceof RunEndedError) return
          await recorder.flush().catch(() => undefined)
          // What cannot even be stored is left to the next start; it must not take the process down.
          await fail(runId, error).catch((failure: unknown) => {
            if (!(failure instanceof RunEndedError)) console.error(failure)
          })
        } finally {
          working.delete(runId)
        }
      }
      working.set(runId, { recorder, controller, done: work() })
    },
    async flush(runId) {
      await working.get(runId)?.recorder.flush()
    },
    stop: (runId) => working.get(runId)?.controller.abort(),
    async close() {
      const works = [...working.values()]
      for (const { controller } of works) controller.abort()
      await Promise.allSettled(works.map(({ done }) => done))
    },
  }
}
