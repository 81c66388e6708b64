import type { RootState } from '../app/store.ts'
import { agent } from './agent.ts'

const { selectConnectionState, selectIsRequesting } = agent.selectors

/** Whether a run of the session is at work that this page follows; one whose wire is lost holds up nobody. */
export function selectIsAtWork(state: RootState, sessionId: string): boolean {
  const connection = selectConnectionState(state, { sessionId })
  return selectIsRequesting(state, sessionId) && connection !== 'failed' && connection !== 'unrecoverable'
}
