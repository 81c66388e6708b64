import { getOwn } from '../../src/state/ownRecord.ts'
import { AgentRuntimeError } from '../agentRuntimeError.ts'
import type { StartRunOptions } from '../runtime/createRunner.ts'
import type { StoreRuntime } from '../runtime/createStoreRuntime.ts'
import { findRun } from '../runtime/findRun.ts'
import { createDeferred } from '../runtime/deferred.ts'

/** What became of a run's start where its wire says nothing more. */
const notStarted = 'The run did not start. Try again.'

/**
 * Starts a run and waits until its runtime has answered; the run goes on by itself from there. A run whose id is known
 * here is not started again.
 *
 * @throws AgentRuntimeError, or what went wrong with the run's wire, as `{ code, message }`.
 */
export async function openRun(runtime: StoreRuntime, options: StartRunOptions): Promise<string> {
  const { runId, finished } = runtime.runner.start(options)
  const answered = createDeferred<void>()
  const wireOf = () => getOwn(runtime.present.get().connection.runs, runId)
  const isThere = () => wireOf()?.state === 'connected' || findRun(runtime.present.get().agentState, runId) !== undefined
  const stopWatching = runtime.watchers.watch(options.sessionId, () => isThere() && answered.resolve())
  try {
    if (!isThere()) await Promise.race([answered.promise, finished])
  } finally {
    stopWatching()
    // Nobody waits for the rest of it here: what becomes of it stands in the connection.
    finished.catch(() => undefined)
  }
  if (isThere()) return runId
  const error = wireOf()?.error
  throw error ? new RunWireError(error) : new AgentRuntimeError('interrupted', notStarted, { retryable: true })
}

/** A wire's error, as the connection tells it. */
class RunWireError extends Error {
  readonly code: string
  readonly retryable = false

  constructor({ code, message }: { code: string; message: string }) {
    super(message)
    this.name = 'RunWireError'
    this.code = code
  }
}
