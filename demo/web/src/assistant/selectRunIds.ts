import { createSelector } from '@reduxjs/toolkit'
import type { AgentState } from 'redux-agent'
import type { RootState } from '../app/store.ts'
import { agent } from './agent.ts'

const none: AgentState['runs'] = {}
const { selectSession } = agent.selectors

/** The runs of a session, the oldest first. */
export const selectRunIds = createSelector(
  (state: RootState, sessionId: string) => selectSession(state, sessionId)?.settled.runs ?? none,
  (state: RootState, sessionId: string) => selectSession(state, sessionId)?.active.runs ?? none,
  (settled, active) =>
    [...Object.values(settled), ...Object.values(active)]
      .sort((one, other) => one.createdAt - other.createdAt)
      .map(({ id }) => id),
)
