import { AgentModuleError } from '../../src/agentModuleError.ts'
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
 * @throws AgentRuntimeError, or an AgentModuleError with what went wrong with the run's wire.
 */
export async function openRun(runtime: StoreRuntime, options: StartRunOptions): Promise<string> {
  const { runId, finished } = runtime.runner.start(options)
  const answered = createDeferred<void>()
  const wireOf = () => getOwn(runtime.present.get().connection.runs, runId)
  const isOpening = () => ['connecting', undefined].includes(wireOf()?.state)
  const stopWatching = runtime.watchers.watch(options.sessionId, () => isOpening() || answered.resolve())
  try {
    if (isOpening()) await Promise.race([answered.promise, finished])
  } finally {
    stopWatching()
    // Nobody waits for the rest of it here: what becomes of it stands in the connection.
    finished.catch(() => undefined)
  }
  // A run that says of itself that it failed is one; what never said anything did not start.
  if (wireOf()?.state === 'connected' || findRun(runtime.present.get().agentState, runId)) return runId
  const error = wireOf()?.error
  throw error ? new AgentModuleError({ name: 'AgentRunError', ...error }) : new AgentRuntimeError('interrupted', notStarted, { retryable: true })
}
