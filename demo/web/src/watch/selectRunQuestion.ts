import type { RootState } from '../app/store.ts'
import { selectRunEntities } from '../assistant/selectRunEntities.ts'

/** What a run was asked, where the page's state holds the run and the question is plain text. */
export function selectRunQuestion(state: RootState, runId: string): string | undefined {
  const messages = Object.values(selectRunEntities(state, runId)?.messages ?? {})
  const asked = messages.find((message) => message.runId === runId && message.role === 'user')
  return typeof asked?.content === 'string' ? asked.content : undefined
}
