import type { RunServerTransaction } from '../store/runServerStore.ts'
import type { RunConfiguration } from './createConfiguration.ts'
import { hashBody } from './hashBody.ts'

/**
 * Gives the thread that a new run belongs to. A conversation goes on in its thread while the configuration is the same;
 * another one begins another thread, and the old one names it: a thread never changes its own in silence.
 */
export async function pinConfiguration(
  transaction: RunServerTransaction,
  options: {
    ownerId: string
    conversationId: string
    configuration: RunConfiguration
    createId(): string
    now: number
  },
): Promise<{ threadId: string; configurationId: string }> {
  const { ownerId, conversationId, configuration, createId, now } = options
  const configurationId = hashBody(configuration)
  const current = await transaction.threads.getCurrent(ownerId, conversationId)
  if (current?.configurationId === configurationId) return { threadId: current.threadId, configurationId }
  const threadId = createId()
  await transaction.configurations.put({ configurationId, configuration, createdAt: now })
  if (current !== undefined) await transaction.threads.supersede(current.threadId, threadId)
  await transaction.threads.insert({
    threadId,
    ownerId,
    conversationId,
    configurationId,
    createdAt: now,
    supersededBy: null,
  })
  return { threadId, configurationId }
}
