import { createSelector } from '@reduxjs/toolkit'
import type { AgentState } from 'redux-agent'
import type { RootState } from '../app/store.ts'
import { readDocumentChange } from './readDocumentChange.ts'
import { selectRunEntities } from './selectRunEntities.ts'

const none: AgentState['toolCalls'] = {}

/** The documents that a run has changed, each once, under its newest title. */
export const selectDocumentChanges = createSelector(
  (state: RootState, runId: string) => selectRunEntities(state, runId)?.toolCalls ?? none,
  (_state: RootState, runId: string) => runId,
  (toolCalls, runId) => {
    const titles = new Map<string, string>()
    for (const toolCall of Object.values(toolCalls)) {
      const change = toolCall.runId === runId ? readDocumentChange(toolCall) : undefined
      if (change) titles.set(change.documentId, change.title)
    }
    return [...titles].map(([documentId, title]) => ({ documentId, title }))
  },
)
