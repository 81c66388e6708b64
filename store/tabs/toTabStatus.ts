import type { AgentSessionCheckpoint } from '../connection/agentSessionCheckpoint.ts'
import type { TabStatus } from './tabMessage.ts'

/** How a session stands with its storage, as the other tabs show it too; which of them owns it each knows by itself. */
export function toTabStatus({ restore, error }: AgentSessionCheckpoint): TabStatus {
  return { ...(restore && { restore }), ...(error && { error }) }
}
