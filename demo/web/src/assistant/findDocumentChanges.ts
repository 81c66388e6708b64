import type { AgentState } from 'redux-agent'
import { readDocumentChange } from './readDocumentChange.ts'

/** Finds the documents that a run has changed, each once, under its newest title. */
export function findDocumentChanges(toolCalls: AgentState['toolCalls'], runId: string) {
  const titles = new Map<string, string>()
  for (const toolCall of Object.values(toolCalls)) {
    const change = toolCall.runId === runId ? readDocumentChange(toolCall) : undefined
    if (change) titles.set(change.documentId, change.title)
  }
  return [...titles].map(([documentId, title]) => ({ documentId, title }))
}
