import { useSelector } from 'react-redux'
import type { AgentError } from '../../src/protocol/agentError.ts'
import type { AgentRootState } from '../../store/runtime/agentSlice.ts'
import type { AnyReactAgentRuntime } from '../createAgentRuntime.ts'
import { useConnection } from '../connection/useConnection.ts'
import { useAgentRun } from '../run/useAgentRun.ts'

/** Which run a timeline tells the error of. */
export interface RunErrorSource {
  agent: AnyReactAgentRuntime
  sessionId: string
  /** The run; by default the session's latest, or the one of the last row where that has no wire any more. */
  runId: string | undefined
  lastRunId: string | undefined
}

/** Why a run came to nothing: what the runtime says, or what became of its wire; nothing where a row says the same. */
export function useRunError(source: RunErrorSource): { readonly error: AgentError; readonly runId: string } | undefined {
  const { agent, sessionId } = source
  const wire = useConnection(agent, source.runId === undefined ? { sessionId } : { runId: source.runId })
  const runId = source.runId ?? wire?.runId ?? source.lastRunId ?? ''
  const run = useAgentRun(agent, { runId })
  const isLost = wire?.state === 'failed' || wire?.state === 'unrecoverable'
  const error = run?.status === 'failed' ? run.error : isLost ? wire.error : undefined
  const isTold = useSelector((root: AgentRootState<string>) => {
    if (!error) return false
    const items = agent.selectors.selectAgentTimeline(root, { sessionId, runId })
    return items.some(({ entity }) => 'error' in entity && entity.error?.message === error.message)
  })
  return error && !isTold ? { error, runId } : undefined
}
