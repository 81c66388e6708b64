import type { RootState } from '../app/store.ts'
import { agent } from './agent.ts'

const { selectRunConnection, selectRunningRuns } = agent.selectors

/** The running run of a session that this page follows: one that the person let go of is not meant by the controls. */
export function selectFollowedRunId(state: RootState, sessionId: string): string | undefined {
  return selectRunningRuns(state, sessionId).findLast(({ id }) => !selectRunConnection(state, id)?.detached)?.id
}
