import type { RunMode, RunRow } from '../store/rows.ts'
import type { RunServerTransaction } from '../store/runServerStore.ts'
import { hashBody } from './hashBody.ts'
import type { RunServices } from './runServices.ts'

/** How the runs of a thread behave, from its start on. */
export interface RunConfiguration {
  model: string
  mode: RunMode
  enableThinking: boolean
  maxSteps: number
  /** Names of the tools that are offered. */
  tools: readonly string[]
}

/** The configuration of a new run on this server. */
export function createConfiguration(
  { settings, tools }: Pick<RunServices, 'settings' | 'tools'>,
  { modelId, mode, enableThinking }: { modelId?: string; mode: RunMode; enableThinking: boolean },
): RunConfiguration {
  // Plan mode asks and writes nothing.
  const offered = [...tools.values()].filter(({ effect }) => mode !== 'plan' || effect === 'read' || effect === 'none')
  const names = offered.map(({ name }) => name).sort()
  return { model: modelId ?? settings.defaultModel, mode, enableThinking, maxSteps: settings.maxSteps, tools: names }
}

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

/** The configuration that a run's thread was begun with, whatever this server would choose by now. */
export async function readConfiguration(
  services: Pick<RunServices, 'settings' | 'tools'>,
  transaction: RunServerTransaction,
  run: RunRow,
): Promise<RunConfiguration> {
  const pinned = await transaction.configurations.get(run.configurationId)
  return (pinned?.configuration as RunConfiguration | undefined) ?? createConfiguration(services, run)
}
