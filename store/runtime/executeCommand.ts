import type { AgentCommand } from '../../src/protocol/agentCommand.ts'
import type { AgentEvent } from '../../src/protocol/agentEvent.ts'
import { runAgentCommand } from '../../src/provider/runAgentCommand.ts'
import { AgentProtocolError } from '../../src/state/agentProtocolError.ts'
import type { AgentRunStatus } from '../../src/state/entities/agentRunState.ts'
import { AgentRuntimeError } from '../agentRuntimeError.ts'
import { createBreather } from '../batch/createBreather.ts'
import { flushApart } from '../batch/flushApart.ts'
import { isCommandGranted } from '../commandStates/isCommandGranted.ts'
import { defaultCommandTimeout } from '../defaultCommandTimeout.ts'
import { closeGap } from './closeGap.ts'
import { createContinuation } from './createContinuation.ts'
import { getWireState } from './getWireState.ts'
import { isAnswerTaken } from './isAnswerTaken.ts'
import type { Runner } from './runner.ts'
import { createDeferred } from './deferred.ts'
import { findRun } from './findRun.ts'
import type { LiveRun } from './liveRun.ts'
import { readSessionState } from './readSessionState.ts'
import type { StoreContext } from './storeContext.ts'

/** How many times the timeout an answer may go on without its fact, before the rest of it is the run's alone. */
const patience = 6

/**
 * Sends one command and waits for its answer; for a cancel, until the run has ended (RFC, section 10.3). The end of the
 * run ends the answer of a command whose fact is there, as nothing that comes after it counts. Where no wire of the run
 * is open, the answer may be the rest of the run: it is waited for until it begins, and goes on as the run's main wire.
 *
 * @throws AgentRuntimeError (`command_timeout`, `interrupted`, `run_ended`); AgentProtocolError where the reducer
 * refused an event of the answer; what `runAgentCommand` throws.
 */
export async function executeCommand(options: {
  context: StoreContext
  runner: Runner
  live: LiveRun
  command: AgentCommand
}): Promise<void> {
  const { context, runner, live, command } = options
  const { batcher, environment, present } = context
  // The answer comes after all that the main stream has brought, also where the store has not been told yet.
  flushApart(batcher)
  const getState = () => findRun(present.get().agentState, live.runId)?.state
  const getStatus = () => getState()?.runs[live.runId]?.status
  // Its end may have come since the command was made, also just now.
  if (getStatus() !== 'running') throw new AgentRuntimeError('interrupted', 'Not sent: the run has ended.')
  const getLastSequence = () => getState()!.lastSequenceByRun[live.runId]!
  const isCancel = command.type === 'run.cancel'
  // What ends the wait: `ended`, with the run, or the error that the command fails with.
  const stopped = new AbortController()
  const isElsewhere = context.tabs.isFollowing(live.sessionId)
  const mayContinue =
    !isCancel && !live.isStreaming && !isElsewhere && live.provider.capabilities.sequence !== 'dense'
  // Of what has come, also where the store has not been told yet.
  const continuation = mayContinue ? createContinuation(live.provider, () => live.sequencer.getLast()) : undefined
  const giveBack = continuation && lend(live, continuation.controller, stopped)
  const answered: AgentEvent[] = []
  let lastAnswered: number | undefined
  const givenUp = createDeferred<void>()
  stopped.signal.addEventListener('abort', () => givenUp.resolve())
  const released = createDeferred<void>()
  const isGranted = () => {
    const state = getState()
    return state !== undefined && isCommandGranted(state, command)
  }
  const onTimeout = () => {
    flushApart(batcher)
    // Its fact is there: the command is done. What else its answer brings is the run's, for as long as that runs.
    if (answered.length > 0 && isGranted()) released.resolve()
    else stopped.abort(timeout(getStatus()))
  }
  let limit = context.commandTimeout
  const startTimer = () => environment.setTimer(onTimeout, limit)
  let stopTimer = startTimer()
  let stopPatience: (() => void) | undefined
  let isAccepted = false
  let isReleased = false
  let isAnswered = false
  let hasFact = false
  void released.promise.then(() => (isReleased = true))

  function onRunEnd(): void {
    if (!live.sending.has(stopped)) return
    // Without its fact the answer is still heard, for a while: it may say who decided instead.
    if (isCancel || isGranted()) return stopped.abort('ended')
    // However long it might have waited: a run that is over is no reason to wait on.
    if (limit === Infinity) {
      limit = defaultCommandTimeout
      stopPatience = undefined
    }
    stopTimer()
    stopTimer = startTimer()
  }

  live.sending.add(stopped)
  void live.ended.promise.then(onRunEnd)
  const forget = () => void live.sending.delete(stopped)
  try {
    const answer = runAgentCommand({
      provider: continuation?.provider ?? live.provider,
      command,
      signal: stopped.signal,
      initialSequence: getLastSequence(),
      now: environment.now,
      getAgentState: () => readSessionState(context, live.sessionId),
      getWireState: () => getWireState(context, live),
      isTaken: (approvalId) => isAnswerTaken(context, { ...live, approvalId }),
      onCursor: (cursor) => live.sequencer.moveCursor(cursor, lastAnswered ?? getLastSequence()),
      pause: createBreather(environment),
      onEvent(event) {
        lastAnswered = event.sequence
        live.receive(event)
        if (isReleased) return
        answered.push(event)
        // Once its fact is there, an answer that goes on does not hold the command up for as long as it does.
        hasFact ||= isGranted()
        if (isCancel || hasFact) return
        stopPatience ??= environment.setTimer(released.resolve, limit * patience)
        stopTimer()
        stopTimer = startTimer()
      },
    })
    // What goes on after its command stays within reach of an abort, until it ends.
    void released.promise.then(() => answer.then(forget, forget))
    try {
      await Promise.race([answer, released.promise])
    } finally {
      if (!isCancel) stopTimer()
      await closeGap(context, live, stopped.signal)
    }
    flushApart(batcher)
    assertTaken(context, answered)
    isAnswered = true
    if (isCancel) await Promise.race([live.ended.promise, givenUp.promise])
    isAccepted = continuation?.isOpen() === true && getStatus() === 'running' && !stopped.signal.aborted
  } catch (error) {
    if (!stopped.signal.aborted) throw error
  } finally {
    stopTimer()
    stopPatience?.()
    if (!isReleased) forget()
    giveBack?.()
    // Not waited for: what follows is the run's.
    if (continuation && isAccepted) void runner.adopt(live, continuation)
    else if (continuation?.isOpen()) continuation.close()
  }
  const { reason } = stopped.signal as { reason: unknown }
  if (reason instanceof AgentRuntimeError && (isCancel || !isAnswered)) throw reason
  if (isCancel && getStatus() !== 'cancelled') throw tooLate()
}

/** Makes a wire the run's while it may become that, so that what closes the run's wire closes this one. */
function lend(live: LiveRun, controller: AbortController, stopped: AbortController): () => void {
  const own = live.controller
  const onAbort = () => {
    const message = 'Given up, as the wire of its run was closed; what became of it is not known. Try again.'
    stopped.abort(new AgentRuntimeError('interrupted', message, { retryable: true }))
  }
  live.controller = controller
  controller.signal.addEventListener('abort', onAbort)
  return () => {
    controller.signal.removeEventListener('abort', onAbort)
    // A wire that took the run over meanwhile keeps it.
    if (live.controller === controller) live.controller = own
  }
}

/** The reducer's refusal of an answer's event is the provider's breach of the protocol. */
function assertTaken({ present }: StoreContext, answered: readonly AgentEvent[]): void {
  const first = answered[0]
  const issues = first && findRun(present.get().agentState, first.runId)?.session.active.issues
  for (const { runId, eventId } of answered) {
    const issue = issues?.find((entry) => entry.eventId === eventId && entry.runId === runId)
    if (issue) throw new AgentProtocolError(issue)
  }
}

function timeout(status: AgentRunStatus | undefined): AgentRuntimeError {
  const isOver = status !== 'running'
  const advice = isOver ? 'Its run has ended.' : 'Try again.'
  const message = `The agent did not answer in time; what became of the request is not known. ${advice}`
  return new AgentRuntimeError('command_timeout', message, { retryable: !isOver })
}

function tooLate(): AgentRuntimeError {
  return new AgentRuntimeError('run_ended', 'The run came to its own end before it could be cancelled.')
}
