import { useState } from 'react'
import type { AgentCommandType } from '../../src/protocol/agentCommand.ts'
import type { AgentCommandError, AgentCommandState } from '../../store/commandStates/agentCommandState.ts'
import { AgentRuntimeError } from '../../store/agentRuntimeError.ts'
import type { HookRuntime } from '../hookRuntime.ts'
import type { Failure } from '../view/FailureNote.tsx'
import { useCommandState } from './useCommandState.ts'

/** How a person's wish fares, and the way to send one. */
export interface Submission {
  /** The action's newest command. */
  readonly command: AgentCommandState | undefined
  readonly isSubmitting: boolean
  /** Why nothing came of it: the command's failure, or the refusal to make one. */
  readonly failure: Failure | undefined
  send(submit: () => Promise<unknown>): void
}

/** Follows the newest command of an action; one that was refused before it was made leaves no command, only words. */
export function useSubmission(
  agent: HookRuntime,
  action: { runId: string; type: AgentCommandType; entityId: string },
): Submission {
  const command = useCommandState(agent, action)
  const [refused, setRefused] = useState<{ after: string | undefined; refusal: Failure }>()
  const commandId = command?.command.commandId
  // What was refused is told until something else becomes of the action, here or in another tab.
  const refusal = refused?.after === commandId ? refused?.refusal : undefined
  const error = command?.status === 'failed' ? command.error : undefined
  return {
    command,
    isSubmitting: command?.status === 'submitting',
    failure: refusal ?? (error && toFailure(error)),
    send(submit) {
      setRefused(undefined)
      submit().catch((reason: unknown) => {
        // What fails once it was sent is told by its command.
        if (!(reason instanceof AgentRuntimeError) || isSent(reason)) return
        setRefused({ after: commandId, refusal: toRefusal(reason) })
      })
    },
  }
}

const isSent = ({ code }: AgentRuntimeError) => code === 'command_timeout' || code === 'interrupted'

const toRefusal = ({ message, code }: AgentRuntimeError): Failure => ({
  message,
  reason: code,
  decision: undefined,
  isRetryable: false,
})

const toFailure = ({ message, code, reason = code, decision, retryable }: AgentCommandError): Failure => ({
  message,
  reason,
  decision,
  isRetryable: retryable,
})
