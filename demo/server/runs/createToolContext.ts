import type { RunServerTransaction } from '../store/runServerStore.ts'
import type { ToolContext } from '../tools/agentTool.ts'
import type { RunContext } from './runContext.ts'

/** What a tool of this run gets to work with. */
export function createToolContext(
  { services, run }: Pick<RunContext, 'services' | 'run'>,
  transaction: RunServerTransaction,
  answer?: string,
): ToolContext {
  return { ownerId: run.ownerId, transaction, answer, now: services.now, createId: services.createId }
}
