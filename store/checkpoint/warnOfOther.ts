import type { AgentCheckpointStorage } from '../../src/checkpoint/agentCheckpointStorage.ts'
import type { OpenSession } from './openSession.ts'

/** Says in development that a session is kept elsewhere than it was asked to be. */
export function warnOfOther({ sessionId, storage }: OpenSession, asked: AgentCheckpointStorage | undefined): void {
  if (process.env.NODE_ENV === 'production' || asked === undefined || asked === storage) return
  console.warn(
    `Session "${sessionId}" is open with another checkpointStorage, which holds. Give one storage, made once.`,
  )
}
