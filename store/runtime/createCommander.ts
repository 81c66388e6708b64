import { createAgentCommandFactory } from '../../src/protocol/createAgentCommandFactory.ts'
import type { AgentCommand, AgentCommandPayloadMap, AgentCommandType } from '../../src/protocol/agentCommand.ts'
import { getAgentCommandActionKey } from '../../src/protocol/getAgentCommandActionKey.ts'
import { getAgentCommandKey } from '../../src/protocol/getAgentCommandKey.ts'
import { checkCommand } from '../commandStates/checkCommand.ts'
import { findResend } from '../commandStates/findResend.ts'
import { getRunOutlook } from '../connection/getRunOutlook.ts'
import { createDeferred } from './deferred.ts'
import { executeCommand } from './executeCommand.ts'
import type { LiveRun } from './liveRun.ts'
import { toCommandError } from './toCommandError.ts'
import type { AgentActionResult, StoreContext, Submission } from './storeContext.ts'
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

  async function settle({ live, result }: Submission, command: AgentCommand, work: Promise<void>) {
    const settled = work.finally(() => live.submitted.delete(getAgentCommandActionKey(command)))
    try {
      await settled
      present.apply(actions.commandSucceeded({ command, at: environment.now() }))
      result.resolve({ commandId: command.commandId, idempotencyKey: command.idempotencyKey })
    } catch (error) {
      batcher.flush()
      const described = toCommandError(error)
      present.apply(actions.commandFailed({ command, at: environment.now(), error: described }))
      result.reject(error)
    }
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
      const { type, runId, payload } = request
      batcher.flush()
      const { sessionId, live } = checkCommand(context, runner, request)
      const factory = createAgentCommandFactory({
        sessionId,
        runId,
        now: environment.now,
        createCommandId: () => `${runId}:command:${environment.createId()}`,
      })
      const command = (findResend(present.get().commandStates, { sessionId, request }) ??
        factory.create(type, payload)) as AgentCommand
      const result = createDeferred<AgentActionResult>()
      submissions.set(getAgentCommandKey(command), { live, result })
      live.submitted.add(getAgentCommandActionKey(command))
      present.apply(actions.commandSubmitted({ command, at: environment.now() }))
      return result.promise
    },

    async send(command) {
      const key = getAgentCommandKey(command)
      const submission = submissions.get(key)
      // An action that this runtime did not make, such as a dispatched copy, sends nothing.
      if (!submission) return
      submissions.delete(key)
      const { live } = submission
      const execute = () => executeCommand(context, live, command)
      if (command.type === 'run.cancel') {
        live.commands.interrupt()
        await settle(
          submission,
          command,
          execute().then(() => close(live)),
        )
      } else await settle(submission, command, live.commands.add(execute))
      const isOver = !live.isStreaming && getRunOutlook(present.get().agentState, live.runId) === 'ended'
      if (isOver) context.liveRuns.delete(live.runId)
    },
  }
}
