import type { RunMode } from '../store/rows.ts'
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
