import type { RunRow } from '../store/rows.ts'
import type { RunServerTransaction } from '../store/runServerStore.ts'
import { createConfiguration, type RunConfiguration } from './createConfiguration.ts'
import type { RunServices } from './runServices.ts'

/** The configuration that a run's thread was begun with, whatever this server would choose by now. */
export async function readConfiguration(
  services: Pick<RunServices, 'settings' | 'tools'>,
  transaction: RunServerTransaction,
  run: RunRow,
): Promise<RunConfiguration> {
  const pinned = await transaction.configurations.get(run.configurationId)
  return (pinned?.configuration as RunConfiguration | undefined) ?? createConfiguration(services, run)
}
