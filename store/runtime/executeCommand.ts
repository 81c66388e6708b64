import type { AgentCommand } from '../../src/protocol/agentCommand.ts'
import type { AgentEvent } from '../../src/protocol/agentEvent.ts'
import { runAgentCommand } from '../../src/provider/runAgentCommand.ts'
import { AgentProtocolError } from '../../src/state/agentProtocolError.ts'
import { AgentRuntimeError } from '../agentRuntimeError.ts'
import { createDeferred } from './deferred.ts'
import { findRun } from './findRun.ts'
import type { LiveRun } from './liveRun.ts'
import type { StoreContext } from './storeContext.ts'

/**
 * Sends one command and waits for its answer; for a cancel, until the run has ended (RFC, section 10.3). The end of the
 * run ends every answer that has begun, as nothing that comes after it counts.
 *
 * @throws AgentRuntimeError (`command_timeout`); AgentProtocolError where the reducer refused an event of the answer;
 * what `runAgentCommand` throws.
 */
export async function executeCommand(context: StoreContext, live: LiveRun, command: AgentCommand): Promise<void> {
  const { batcher, environment, present } = context
  // The answer comes after all that the main stream has brought, also where the store has not been told yet.
  batcher.flush()
  const isCancel = command.type === 'run.cancel'
  const answered: AgentEvent[] = []
  const [begun, late] = [createDeferred<void>(), createDeferred<void>()]
  const stopped = new AbortController()
  const stopTimer = environment.setTimer(() => {
    stopped.abort('timeout')
    late.resolve()
  }, context.commandTimeout)
  // A cancel's answer need not begin: the main stream may bring the end as well.
  if (isCancel) begun.resolve()
  void Promise.all([live.ended.promise, begun.promise]).then(() => stopped.abort('ended'))
  try {
    await runAgentCommand({
      provider: live.provider,
      command,
      signal: stopped.signal,
      initialSequence: findRun(present.get().agentState, live.runId)!.state.lastSequenceByRun[live.runId]!,
      now: environment.now,
      onEvent(event) {
        answered.push(event)
        live.receive(event)
        begun.resolve()
        // An answer may go on as long as the run does; only the wait for its beginning is bounded.
        if (!isCancel) stopTimer()
      },
    })
    batcher.flush()
    assertTaken(context, answered)
    if (isCancel) await Promise.race([live.ended.promise, late.promise])
  } catch (error) {
    if (!stopped.signal.aborted) throw error
  } finally {
    stopTimer()
  }
  if (stopped.signal.reason === 'timeout') throw timeout()
}

/** The reducer's refusal of an answer's event is the provider's breach of the protocol. */
function assertTaken({ present }: StoreContext, answered: readonly AgentEvent[]): void {
  for (const { runId, eventId } of answered) {
    const issues = findRun(present.get().agentState, runId)?.session.active.issues
    const issue = issues?.find((entry) => entry.eventId === eventId && entry.runId === runId)
    if (issue) throw new AgentProtocolError(issue)
  }
}

function timeout(): AgentRuntimeError {
  const message = 'The agent did not answer in time; what became of the request is not known. Try again.'
  return new AgentRuntimeError('command_timeout', message)
}
