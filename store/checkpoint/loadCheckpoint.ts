import type { AgentCheckpoint } from '../../src/checkpoint/agentCheckpoint.ts'
import { AgentCheckpointError } from '../../src/checkpoint/agentCheckpointError.ts'
import type { AgentCheckpointStorage } from '../../src/checkpoint/agentCheckpointStorage.ts'
import { parseAgentCheckpoint } from '../../src/checkpoint/parseAgentCheckpoint.ts'
import { toCheckpointError } from '../../src/checkpoint/toCheckpointError.ts'

/** What a storage said of a session. */
export type LoadedCheckpoint =
  | { readonly checkpoint: AgentCheckpoint | undefined; readonly error?: undefined }
  | {
      readonly error: AgentCheckpointError
      /** Whether what could not be used was put aside, so that nothing is lost by the next save. */
      readonly isCleared: boolean
      readonly checkpoint?: undefined
    }

/** Reads a session's checkpoint and checks it, whatever the storage is; it never rejects. */
export async function loadCheckpoint(storage: AgentCheckpointStorage, sessionId: string): Promise<LoadedCheckpoint> {
  let stored: unknown
  try {
    stored = await storage.load(sessionId)
  } catch (cause) {
    const error = toCheckpointError(cause, 'load_failed')
    return { error, isCleared: isFault(error) && error.cause === undefined }
  }
  if (stored === undefined || stored === null) return { checkpoint: undefined }
  const { checkpoint, fault } = parseAgentCheckpoint(stored, { sessionId })
  if (checkpoint) return { checkpoint }
  const code = fault.code === 'invalid' ? 'invalid_checkpoint' : fault.code
  const message = `${fault.message} Nothing is written over it: remove it to start clean.`
  return { error: new AgentCheckpointError(code, { message }), isCleared: false }
}

const isFault = ({ code }: AgentCheckpointError) =>
  code === 'invalid_checkpoint' || code === 'unsupported_version' || code === 'foreign_session'
