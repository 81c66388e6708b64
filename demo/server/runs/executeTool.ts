import type { ChangePreview, ToolCallRow } from '../store/rows.ts'
import type { RunServerTransaction } from '../store/runServerStore.ts'
import type { AgentTool } from '../tools/agentTool.ts'
import { signTool } from '../tools/signTool.ts'
import { ToolError } from '../tools/toolError.ts'
import { createToolContext } from './createToolContext.ts'
import { getEffectKey } from './getEffectKey.ts'
import type { KnownToolCall } from './readToolCall.ts'
import type { RunContext } from './runContext.ts'

/** What a tool call is to do, once it is known that it may. */
export interface ToolWork {
  tool: AgentTool
  input: unknown
  preview: ChangePreview | undefined
  edited: boolean
  /** What a person answered, of a tool that asks. */
  answer: string | undefined
}

/**
 * Does what a tool call is to do, with its ledger row on both sides of it, and gives the result. What was started and
 * acts outside is not done again: nobody knows whether it was done.
 *
 * @throws ToolError; with `isOutcomeUnknown` where only a person can tell what is true outside.
 */
export async function executeTool(context: RunContext, known: KnownToolCall, work: ToolWork): Promise<unknown> {
  const { services, run, recorder, signal } = context
  const { crashPoint, observer } = services
  const { tool } = work
  const { toolCallId } = known
  const isExternal = tool.perform !== undefined
  if (known.status === 'started' && isExternal) throw outcomeUnknown()
  // Refused once the run is cancelled or another's: then the tool never starts.
  if (known.status !== 'started') {
    crashPoint('ledger-started.before')
    await recorder.commit(async (transaction) => {
      await transaction.toolCalls.update(run.runId, toolCallId, { status: 'started', isExternal })
      return [{ type: 'tool.running', payload: { toolCallId } }]
    })
    crashPoint('ledger-started.after')
  }
  await tool.connect?.(run.ownerId, signal)
  crashPoint('tool-effect.before')
  const performed = isExternal ? await perform(context, toolCallId, work) : undefined
  if (isExternal) crashPoint('tool-effect.after')
  let result: unknown
  crashPoint('ledger-ended.before')
  await recorder.commit(async (transaction) => {
    const ended = isExternal ? { result: performed } : await runInStore(context, transaction, work)
    result = ended.result ?? null
    const completedAt = services.now()
    await transaction.toolCalls.update(run.runId, toolCallId, { ...ended, result, status: 'succeeded', completedAt })
    return [{ type: 'tool.completed', payload: { toolCallId, result } }]
  })
  crashPoint('ledger-ended.after')
  observer.toolEnded?.({ runId: run.runId, toolCallId, name: tool.name, status: 'succeeded' })
  return result
}

async function perform(context: RunContext, toolCallId: string, { tool, input }: ToolWork): Promise<unknown> {
  const { run, signal, services } = context
  const { runId } = run
  const idempotencyKey = await services.store.read((transaction) => getEffectKey(transaction, { runId, toolCallId }))
  try {
    return await tool.perform?.(input, { ownerId: run.ownerId, idempotencyKey, signal })
  } catch (error) {
    // A refusal says that nothing was done; anything else says nothing.
    if (error instanceof ToolError) throw error
    signal.throwIfAborted()
    services.observer.failed?.(error, { runId })
    throw outcomeUnknown()
  }
}

/** What this run, or any other of the owner, has read is not read again while the owner's things are as they were. */
async function runInStore(
  context: RunContext,
  transaction: RunServerTransaction,
  { tool, input, preview, answer }: ToolWork,
): Promise<Pick<ToolCallRow, 'result'> & Partial<Pick<ToolCallRow, 'signature' | 'revision'>>> {
  const run = async () => tool.run?.(input, createToolContext(context, transaction, answer), preview)
  // Whoever else changes the owner's things waits: a version must not be changed between its check and the write.
  if (tool.effect === 'write') await transaction.lock(`documents:${context.run.ownerId}`)
  if (tool.effect !== 'read') return { result: await run() }
  const { ownerId, runId } = context.run
  const signature = signTool(tool.name, input)
  const revision = await transaction.users.getRevision(ownerId)
  const known = await transaction.toolCalls.findReusable({ ownerId, signature, revision, runId })
  return { result: known === undefined ? await run() : known.result, signature, revision }
}

function outcomeUnknown(): ToolError {
  return new ToolError({
    code: 'outcome_unknown',
    message:
      'The server was stopped while this was being done, and whether it was done is not known. Look at the other ' +
      'side; let it be tried again only if it was not done.',
    retryable: true,
    isOutcomeUnknown: true,
  })
}
