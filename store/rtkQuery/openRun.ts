import { AgentModuleError } from '../../src/agentModuleError.ts'
import { getOwn } from '../../src/state/ownRecord.ts'
import { AgentRuntimeError } from '../agentRuntimeError.ts'
import type { StartRunOptions } from '../runtime/runner.ts'
import type { StoreRuntime } from '../runtime/createStoreRuntime.ts'
import { findRun } from '../runtime/findRun.ts'
import { createDeferred } from '../runtime/deferred.ts'
import { hasFailedToStart } from './hasFailedToStart.ts'

/** What became of a run's start where its wire says nothing more. */
const notStarted = 'The run did not start. Try again.'

/**
 * Starts a run and waits until its runtime has answered; the run goes on by itself from there. A run whose id is known
 * here is not started again; one that failed to start is asked for again under its id, where its server takes that once.
 *
 * @throws AgentRuntimeError, or an AgentModuleError with what went wrong with the run's wire.
 */
export async function openRun(runtime: StoreRuntime, options: StartRunOptions): Promise<string> {
  const { runId, finished } = begin(runtime, options)
  const answered = createDeferred<void>()
  const wireOf = () => getOwn(runtime.present.get().connection.runs, runId)
  const isHeard = () => findRun(runtime.present.get().agentState, runId) !== undefined
  const isOpening = () => !isHeard() && ['connecting', 'reconnecting', undefined].includes(wireOf()?.state)
  const stopWatching = runtime.watchers.watch(options.sessionId, () => isOpening() || answered.resolve())
  try {
    if (isOpening()) await Promise.race([answered.promise, finished])
  } finally {
    stopWatching()
    // Nobody waits for the rest of it here: what becomes of it stands in the connection.
    finished.catch(() => undefined)
  }
  // A run that says of itself that it failed is one; what never said anything did not start.
  if (wireOf()?.state === 'connected' || isHeard()) return runId
  const error = wireOf()?.error
  throw error ? new AgentModuleError({ name: 'AgentRunError', ...error }) : new AgentRuntimeError('interrupted', notStarted, { retryable: true })
}

function begin(runtime: StoreRuntime, options: StartRunOptions) {
  const { runId, sessionId } = options
  const isAgain = runId !== undefined && hasFailedToStart(runtime, runId)
  return isAgain ? runtime.runner.resume({ runId, sessionId }) : runtime.runner.start(options)
}
