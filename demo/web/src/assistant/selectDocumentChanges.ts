import { createSelector } from '@reduxjs/toolkit'
import type { AgentState } from 'redux-agent'
import type { RootState } from '../app/store.ts'
import { findDocumentChanges } from './findDocumentChanges.ts'
import { selectRunEntities } from './selectRunEntities.ts'

const none: AgentState['toolCalls'] = {}

/** The documents that a run has changed, each once, under its newest title. */
export const selectDocumentChanges = createSelector(
  (state: RootState, runId: string) => selectRunEntities(state, runId)?.toolCalls ?? none,
  (_state: RootState, runId: string) => runId,
  findDocumentChanges,
)
