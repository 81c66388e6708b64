import type { AgentState } from '../../src/state/agentState.ts'
import { createInitialAgentState } from '../../src/state/createInitialAgentState.ts'
import { joinSession } from '../../store/agentState/joinSession.ts'
import type { AgentSession } from '../../store/agentState/agentStateSlice.ts'
import type { AgentRootState } from '../../store/runtime/agentSlice.ts'
import type { AgentSelectors } from '../../store/selectors/createAgentSelectors.ts'

/**
 * Makes the function that gives the one AgentState of a session as it was rendered, which is the selector's object
 * while the store still shows that session.
 */
export function createStateReader(selectors: AgentSelectors<string>) {
  const nothing = createInitialAgentState()
  const joined = new WeakMap<AgentSession, AgentState>()
  return (
    root: AgentRootState<string>,
    { sessionId, session }: { sessionId: string; session: AgentSession | undefined },
  ): AgentState => {
    if (selectors.selectSession(root, sessionId) === session) return selectors.selectAgentState(root, sessionId)
    if (!session) return nothing
    const state = joined.get(session) ?? joinSession(session)
    joined.set(session, state)
    return state
  }
}
