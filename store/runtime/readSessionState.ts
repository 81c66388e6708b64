import { createInitialAgentState } from '../../src/state/createInitialAgentState.ts'
import { getOwn } from '../../src/state/ownRecord.ts'
import type { AgentState } from '../../src/state/agentState.ts'
import { joinSession } from '../agentState/joinSession.ts'
import type { StoreContext } from './storeContext.ts'

/** Reads all of a session at present, events that wait for their batch included. */
export function readSessionState({ batcher, present }: StoreContext, sessionId: string): AgentState {
  batcher.flush()
  const session = getOwn(present.get().agentState.sessions, sessionId)
  return session ? joinSession(session) : createInitialAgentState()
}
