import { createAgentCommandFactory } from '../../src/protocol/createAgentCommandFactory.ts'
import type { AgentCommand, AgentCommandPayloadMap, AgentCommandType } from '../../src/protocol/agentCommand.ts'
import type { AgentEvent } from '../../src/protocol/agentEvent.ts'
import { getAgentCommandKey } from '../../src/protocol/getAgentCommandKey.ts'
import { AgentProtocolError } from '../../src/state/agentProtocolError.ts'
import { runAgentCommand } from '../../src/provider/runAgentCommand.ts'
import { checkCommand } from '../commandStates/checkCommand.ts'
import { findResend } from '../commandStates/findResend.ts'
import { getRunOutlook } from '../connection/getRunOutlook.ts'
import { createDeferred } from './deferred.ts'
import { findRun } from './findRun.ts'
import type { LiveRun } from './liveRun.ts'
import { toCommandError } from './toCommandError.ts'
import type { AgentActionResult, StoreContext } from './storeContext.ts'
import type { Runner } from './createRunner.ts'

/** A wish, before it is a command. */
export interface CommandRequest<Type extends AgentCommandType> {
  type: Type
  runId: string
  payload: AgentCommandPayloadMap[Type]
}

/** Checks, creates and sends the commands of one store. */
export interface Commander {
  /** Creates and submits a command, or rejects with why there is none. */
  submit<Type extends AgentCommandType>(request: CommandRequest<Type>): Promise<AgentActionResult>
  /** Sends a submitted command in its turn; started by the listener, hence by live dispatches alone. */
  send(command: AgentCommand): Promise<void>
}

export function createCommander(context: StoreContext, runner: Runner): Commander {
  const { actions, batcher, environment, present, submissions } = context

  async function execute(live: LiveRun, command: AgentCommand): Promise<void> {
    const controller = new AbortController()
    const stopTimer = environment.setTimer(() => controller.abort('timeout'), context.commandTimeout)
    const isCancel = command.type === 'run.cancel'
    const answered: AgentEvent[] = []
    try {
      const initialSequence = findRun(present.get(), live.runId)?.state.lastSequenceByRun[live.runId] ?? -1
      await runAgentCommand({
        provider: live.provider,
        command,
        signal: controller.signal,
        initialSequence,
        now: environment.now,
        onEvent(event) {
          answered.push(event)
          live.receive(event)
          // An answer may go on as long as the run does; only the wait for its beginning is bounded.
          if (!isCancel) stopTimer()
        },
      })
      batcher.flush()
      assertTaken(answered)
      if (isCancel) await untilEnded(live, controller.signal)
    } finally {
      stopTimer()
    }
  }

  /** The reducer's refusal of an answer's event is the provider's breach of the protocol. */
  function assertTaken(answered: readonly AgentEvent[]) {
    for (const { runId, eventId } of answered) {
      const issue = findRun(present.get(), runId)?.session.active.issues.find(
        (entry) => entry.eventId === eventId && entry.runId === runId,
      )
      if (issue) throw new AgentProtocolError(issue)
    }
  }

  /** A cancel is done when the runtime says so, by whichever channel (RFC, section 10.3). */
  async function untilEnded(live: LiveRun, signal: AbortSignal) {
    if (getRunOutlook(present.get(), live.runId) !== 'ended') {
      const late = createDeferred<never>()
      signal.addEventListener('abort', () => late.reject(signal.reason), { once: true })
      if (signal.aborted) late.reject(signal.reason)
      await Promise.race([live.ended.promise, late.promise])
    }
    live.controller.abort()
    context.dispatch(
      actions.connectionChanged({ runId: live.runId, at: environment.now(), state: 'idle', detached: false }),
    )
  }

  async function settle(command: AgentCommand, work: Promise<void>) {
    const key = getAgentCommandKey(command)
    const waiter = submissions.get(key)
    submissions.delete(key)
    try {
      await work
      context.dispatch(actions.commandSucceeded({ command, at: environment.now() }))
      waiter?.resolve({ commandId: command.commandId, idempotencyKey: command.idempotencyKey })
    } catch (error) {
      batcher.flush()
      const described = toCommandError(error)
      context.dispatch(actions.commandFailed({ command, at: environment.now(), error: described }))
      waiter?.reject(error)
    }
  }

  return {
    async submit(request) {
      const { type, runId, payload } = request
      const { sessionId } = checkCommand(context, runner, request)
      const factory = createAgentCommandFactory({
        sessionId,
        runId,
        now: environment.now,
        createCommandId: () => `${runId}:command:${environment.createId()}`,
      })
      const command = (findResend(context.shown().commandStates, { sessionId, request }) ??
        factory.create(type, payload)) as AgentCommand
      const submission = createDeferred<AgentActionResult>()
      submissions.set(getAgentCommandKey(command), submission)
      context.dispatch(actions.commandSubmitted({ command, at: environment.now() }))
      return submission.promise
    },

    async send(command) {
      // An action that this runtime did not make, such as a dispatched copy, sends nothing.
      if (!submissions.has(getAgentCommandKey(command))) return
      const live = runner.liveRunOf(command.runId)
      if (!live) return
      if (command.type === 'run.cancel') {
        live.isCancelling = true
        await settle(command, execute(live, command))
        live.isCancelling = false
      } else {
        const turn = live.commands.then(() => {
          if (live.isCancelling) throw interrupted()
          return execute(live, command)
        })
        live.commands = turn.catch(() => undefined)
        await settle(command, turn)
      }
      if (getRunOutlook(present.get(), live.runId) === 'ended') context.liveRuns.delete(live.runId)
    },
  }
}

function interrupted() {
  return { code: 'interrupted', message: 'Not sent, because the run is being cancelled.', retryable: false }
}
