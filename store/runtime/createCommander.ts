import { createAgentCommandFactory } from '../../src/protocol/createAgentCommandFactory.ts'
import type { AgentCommand, AgentCommandPayloadMap, AgentCommandType } from '../../src/protocol/agentCommand.ts'
import { getAgentCommandActionKey } from '../../src/protocol/getAgentCommandActionKey.ts'
import { getAgentCommandKey } from '../../src/protocol/getAgentCommandKey.ts'
import { isAgentCommand } from '../../src/protocol/isAgentCommand.ts'
import { getOwn } from '../../src/state/ownRecord.ts'
import { AgentRuntimeError } from '../agentRuntimeError.ts'
import { flushApart } from '../batch/flushApart.ts'
import type { AgentCommandError } from '../commandStates/agentCommandState.ts'
import { checkCommand } from '../commandStates/checkCommand.ts'
import { findResend } from '../commandStates/findResend.ts'
import { judgeFailure } from '../commandStates/judgeFailure.ts'
import { getRunOutlook } from '../connection/getRunOutlook.ts'
import { isWireWanted } from '../connection/isWireWanted.ts'
import { createDeferred } from './deferred.ts'
import { executeCommand } from './executeCommand.ts'
import { findRun } from './findRun.ts'
import type { LiveRun } from './liveRun.ts'
import { toCommandError } from './toCommandError.ts'
import type { AgentActionResult, StoreContext, SubmittedCommand } from './storeContext.ts'
import type { Runner } from './runner.ts'

/** A wish, before it is a command. */
export interface CommandRequest<Type extends AgentCommandType> {
  type: Type
  runId: string
  /** The session that it was made in: a run of another one is refused. */
  sessionId?: string | undefined
  payload: AgentCommandPayloadMap[Type]
}

/** Checks, creates and sends the commands of one store. */
export interface Commander {
  /** Creates and submits a command, or rejects with why there is none. */
  submit<Type extends AgentCommandType>(request: CommandRequest<Type>): Promise<AgentActionResult>
  /** Gives up a session's commands that are waited for; it claims nothing about the runtime. */
  abort(options: { sessionId: string }): void
  /** Sends a submitted command in its turn; started by the listener, hence by live dispatches alone. */
  send(command: AgentCommand): Promise<void>
}

const appFailed = 'Not sent, because a part of the app failed while it was told. Try again.'
const notPassedOn = 'Not sent, because a middleware of the app did not pass the action on. Try again.'

export function createCommander(context: StoreContext, runner: Runner): Commander {
  const { actions, batcher, environment, present, submissions } = context

  function describeFailure(command: AgentCommand, error: unknown): AgentCommandError | undefined {
    const state = findRun(present.get().agentState, command.runId)?.state
    return judgeFailure(state, { command, error: toCommandError(error) })
  }

  async function settle({ live, result }: SubmittedCommand, command: AgentCommand, work: Promise<void>) {
    let thrown: unknown
    let failure: AgentCommandError | undefined
    try {
      await work
    } catch (error) {
      flushApart(batcher)
      thrown = error
      failure = describeFailure(command, error)
    }
    const at = environment.now()
    // In the same step as its outcome: an action is never free while its newest command shows as submitting.
    live.submitted.delete(getAgentCommandActionKey(command))
    try {
      if (failure) present.apply(actions.commandFailed({ command, at, error: failure }))
      else {
        try {
          if (command.type === 'run.cancel') close(live)
        } finally {
          present.apply(actions.commandSucceeded({ command, at }))
        }
      }
    } finally {
      if (failure) result.reject(thrown)
      else result.resolve({ commandId: command.commandId, idempotencyKey: command.idempotencyKey })
    }
  }

  /** What the app did while it was told of a command kept the command from being sent. */
  function takeBack(live: LiveRun, command: AgentCommand, message: string) {
    live.submitted.delete(getAgentCommandActionKey(command))
    const error: AgentCommandError = { code: 'interrupted', message, retryable: true }
    present.apply(actions.commandFailed({ command, at: environment.now(), error }))
  }

  /** An answer that may go on as the run's wire is read where the session is owned, which is here then. */
  function ownContinued({ runId, sessionId, provider }: LiveRun, { type }: AgentCommand): Promise<void> | undefined {
    const state = getOwn(present.get().connection.runs, runId)?.state
    const isContinued = type !== 'run.cancel' && provider.capabilities.sequence !== 'dense'
    return isContinued && !(state && isWireWanted(state)) ? context.tabs.own(sessionId) : undefined
  }

  /** A cancelled run's main wire has nothing more to say (RFC, section 10.3). */
  function close(live: LiveRun) {
    live.controller.abort()
    present.apply(
      actions.connectionChanged({ runId: live.runId, at: environment.now(), state: 'idle', detached: false }),
    )
  }

  return {
    async submit(request) {
      const { type, runId } = request
      batcher.flush()
      const { sessionId, live, payload } = checkCommand(context, runner, request)
      const factory = createAgentCommandFactory({
        sessionId,
        runId,
        now: environment.now,
        createCommandId: () => `${runId}:command:${environment.createId()}`,
      })
      const command = (findResend(present.get().commandStates, { sessionId, request: { type, runId, payload } }) ??
        factory.create(type, payload)) as AgentCommand
      if (!isAgentCommand(command)) {
        const message = `The fields of command "${type}" are not those of AgentCommand 0.1. Look at what was passed.`
        throw new AgentRuntimeError('invalid_command', message)
      }
      const result = createDeferred<AgentActionResult>()
      const key = getAgentCommandKey(command)
      submissions.set(key, { live, result })
      live.submitted.add(getAgentCommandActionKey(command))
      try {
        present.apply(actions.commandSubmitted({ command, at: environment.now() }))
      } catch (error) {
        if (submissions.delete(key)) takeBack(live, command, appFailed)
        // It was passed on before the app threw, so that it is under way: what becomes of it stands in its state alone.
        else result.promise.catch(() => undefined)
        throw error
      }
      // The listener takes it while it is told; whatever did not pass it on kept it from being sent.
      if (submissions.delete(key)) {
        takeBack(live, command, notPassedOn)
        throw new AgentRuntimeError('interrupted', notPassedOn, { retryable: true })
      }
      return result.promise
    },

    abort({ sessionId }) {
      for (const live of context.liveRuns.values()) {
        if (live.sessionId !== sessionId) continue
        const interrupted = (message: string) => new AgentRuntimeError('interrupted', message, { retryable: true })
        live.commands.interrupt(interrupted('Not sent: the conversation was left.'))
        const message = 'Given up, as the conversation was left; what became of it is not known. Try again.'
        for (const sent of live.sending) sent.abort(interrupted(message))
      }
    },

    async send(command) {
      const key = getAgentCommandKey(command)
      const submission = submissions.get(key)
      // An action that this runtime did not make, such as a dispatched copy, sends nothing.
      if (!submission) return
      submissions.delete(key)
      const { live } = submission
      const execute = () => executeCommand({ context, runner, live, command })
      if (command.type === 'run.cancel') {
        live.commands.interrupt(new AgentRuntimeError('interrupted', 'Not sent: the run is being cancelled.'))
        await settle(submission, command, execute())
      } else {
        const prepare = () => ownContinued(live, command)
        await settle(submission, command, live.commands.add(execute, prepare))
      }
      const isOver = !live.isStreaming && getRunOutlook(present.get().agentState, live.runId) === 'ended'
      if (isOver) context.liveRuns.delete(live.runId)
    },
  }
}
