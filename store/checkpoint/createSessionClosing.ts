import { AgentCheckpointError } from '../../src/checkpoint/agentCheckpointError.ts'
import { getOwn } from '../../src/state/ownRecord.ts'
import { AgentRuntimeError } from '../agentRuntimeError.ts'
import { apart } from '../batch/apart.ts'
import { flushApart } from '../batch/flushApart.ts'
import type { Runner } from '../runtime/runner.ts'
import type { StoreContext } from '../runtime/storeContext.ts'
import type { CheckpointReporter } from './createCheckpointReporter.ts'
import type { SessionGates } from './createSessionGates.ts'
import type { OpenSession } from './openSession.ts'
import { within } from './within.ts'

const unread =
  'The session is not saved and stays open: what the storage has of it could not be read, and nothing is written over it. ' +
  'Try again once it is restored, or remove it.'

/**
 * Makes what lets go of a session as a page does that goes: it is saved, its wires are closed, and another tab may take
 * it over. Nothing of it stays here. Rejects where it could not be saved, and goes on then.
 */
export function createSessionClosing(options: {
  context: Pick<StoreContext, 'actions' | 'batcher' | 'environment' | 'present' | 'tabs'>
  sessions: Map<string, OpenSession>
  gates: SessionGates
  /** How long the storage may take, in milliseconds. */
  patience: number
  reporter: CheckpointReporter
  getRunner: () => Runner
  abortCommands: (of: { sessionId: string }) => void
}): (sessionId: string) => Promise<void> {
  const { context, sessions, gates, patience, reporter, getRunner, abortCommands } = options
  const { actions, batcher, environment, present, tabs } = context

  async function save({ sessionId, writer }: OpenSession): Promise<void> {
    // What was reported of an earlier fault stands until a write succeeds, also where nothing is left to be written.
    const saving = reporter.said(sessionId)?.error ? writer.write() : writer.settle()
    const isDone = await within(saving.then(() => true), { environment, time: patience })
    const error = reporter.said(sessionId)?.error
    if (isDone && !error) return
    const reason = isDone && error ? error.message : 'The storage did not answer in time.'
    throw new AgentCheckpointError('save_failed', { message: `The session is not saved and stays open. ${reason}` })
  }

  /** Memory is all that there is of what may not be written: over what could not be read, or is still to be. */
  function assertNothingIsLost({ sessionId, phase }: OpenSession): void {
    const known = phase === 'following' ? undefined : getOwn(present.get().agentState.sessions, sessionId)
    const isEmpty = !known || [known.active, known.settled].every(({ runs }) => Object.keys(runs).length === 0)
    if (!isEmpty) throw new AgentCheckpointError('save_failed', { message: unread })
  }

  async function leave(session: OpenSession): Promise<void> {
    // What is still being read is put in place no more.
    session.loading = undefined
    if (session.tab) session.tab.close(new AgentRuntimeError('interrupted', 'The session was closed meanwhile.'))
    else if (session.phase === 'ready') session.phase = 'closing'
    session.released.resolve()
    await within(session.writer.finish(), { environment, time: patience })
  }

  return async (sessionId) => {
    const session = sessions.get(sessionId)
    if (session?.phase === 'ready') await save(session)
    else if (session) assertNothingIsLost(session)
    flushApart(batcher)
    abortCommands({ sessionId })
    // A request that was made after this one is the first of what comes next.
    getRunner().leave({ sessionId, isKept: (wait) => gates.has(sessionId, wait) })
    if (session) await leave(session)
    sessions.delete(sessionId)
    tabs.forget(sessionId)
    getRunner().forget(sessionId)
    apart(() => present.apply(actions.sessionClosed({ sessionId })))
  }
}
