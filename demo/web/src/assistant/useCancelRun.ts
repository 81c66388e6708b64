import { useState } from 'react'
import { AgentRuntimeError } from 'redux-agent'
import { agent } from './agent.ts'
import { assistantLocale } from './assistantLocale.ts'

/** Cancels a run by the server, and tells how that fares; that it is cancelled is for the run's own event to say. */
export function useCancelRun(runId: string) {
  const { cancelRun } = agent.useAgentActions()
  const command = agent.useCommandState({ runId, type: 'run.cancel' })
  const [refusal, setRefusal] = useState<{ readonly runId: string; readonly words: string }>()
  const error = command?.status === 'failed' ? command.error : undefined

  return {
    isCancelling: command?.status === 'submitting',
    failure: refusal?.runId === runId ? refusal.words : error && describe(error.reason ?? error.code, error.message),
    cancel() {
      setRefusal(undefined)
      cancelRun({ runId }).catch((reason: unknown) => {
        // What fails once it was sent is told by its command; what was refused before leaves none.
        if (!(reason instanceof AgentRuntimeError) || isSent(reason)) return
        setRefusal({ runId, words: describe(reason.code, reason.message) })
      })
    },
  }
}

const isSent = ({ code }: AgentRuntimeError) => code === 'command_timeout' || code === 'interrupted'

function describe(code: string, message: string): string {
  if (code === 'command_timeout') return 'The cancellation was sent. Whether the run has ended is not known here.'
  const { reasons } = assistantLocale.command
  return `Not cancelled: ${(Object.hasOwn(reasons, code) ? reasons[code] : undefined) ?? message}`
}
