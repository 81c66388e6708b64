import type { AgentState } from 'redux-agent'
import type { RootState } from '../app/store.ts'
import { agent } from './agent.ts'

const { selectRun, selectSession } = agent.selectors

/** The part of its session's state that a run stands in: the active or the settled one. */
export function selectRunEntities(state: RootState, runId: string): AgentState | undefined {
  const run = selectRun(state, { runId })
  const session = run && selectSession(state, run.sessionId)
  return run?.status === 'running' ? session?.active : session?.settled
}
