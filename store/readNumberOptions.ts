import type { AgentBatchOptions } from './batch/createEventBatcher.ts'
import { createReconnectPlan, type AgentReconnectOptions } from './connection/agentReconnectOptions.ts'
import { defaultCommandTimeout } from './defaultCommandTimeout.ts'
import { readNumberOption } from './readNumberOption.ts'

/**
 * Reads a runtime's numbers; a time limit that is none is `Infinity`.
 *
 * @throws AgentRuntimeError (`invalid_option`)
 */
export function readNumberOptions(given: {
  batch?: AgentBatchOptions | undefined
  commandTimeout?: number | undefined
  reconnect?: false | AgentReconnectOptions | undefined
  restoreTimeout?: number | undefined
  saveInterval?: number | undefined
  maxSettledRuns?: number | undefined
}) {
  const { batch = {}, commandTimeout, reconnect, restoreTimeout, saveInterval, maxSettledRuns } = given
  return {
    batch: {
      maxDelay: readNumberOption('batch.maxDelay', batch.maxDelay, { fallback: 50 }),
      maxEvents: readNumberOption('batch.maxEvents', batch.maxEvents, { fallback: 1000, least: 1 }),
    },
    commandTimeout: readNumberOption('commandTimeout', commandTimeout, { fallback: defaultCommandTimeout, isLimit: true }),
    reconnect: createReconnectPlan(reconnect) ?? (false as const),
    restoreTimeout: readNumberOption('restoreTimeout', restoreTimeout, { fallback: 5000, isLimit: true }),
    saveInterval: readNumberOption('saveInterval', saveInterval, { fallback: 1000 }),
    maxSettledRuns: readNumberOption('maxSettledRuns', maxSettledRuns, { fallback: Infinity, isWhole: true }),
  }
}
