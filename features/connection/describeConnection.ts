import type { AgentLocale } from '../locale/agentLocale.ts'
import type { AgentConnectionView } from './useConnection.ts'

/** Says in the locale's words where a wire stands: which attempt it is at, or where it was taken up again. */
export function describeConnection(connection: Partial<AgentConnectionView>, locale: AgentLocale): string {
  const { state = 'idle', attempt, maxAttempts, isOffline, resumedAt } = connection
  const words = locale.connection[state]
  if (isOffline) return locale.connectionDetail.offline(words)
  if (attempt !== undefined && maxAttempts !== undefined) {
    return locale.connectionDetail.attempt(words, { attempt, maxAttempts })
  }
  return state === 'connected' && resumedAt !== undefined ? locale.connectionDetail.resumed(words, resumedAt) : words
}
