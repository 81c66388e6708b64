import type { ChatMessage } from '../chat/chatMessage.ts'
import type { RequestedToolCall } from '../chat/createToolCallAssembler.ts'
import type { ChangePreview } from '../store/rows.ts'
import type { RunServerTransaction } from '../store/runServerStore.ts'
import type { AgentTool, ToolContext } from '../tools/agentTool.ts'
import { parseToolArgumentsText } from '../tools/parseToolArguments.ts'
import { ToolError } from '../tools/toolError.ts'
import { askApproval } from './askApproval.ts'
import { holdForRetry } from './holdForRetry.ts'
import { readToolCall, type KnownToolCall } from './readToolCall.ts'
import type { RunContext } from './runContext.ts'

/** What a tool call is to do, once it is known that it may. */
interface Work {
  tool: AgentTool
  input: unknown
  preview: ChangePreview | undefined
  edited: boolean
}

/**
 * Runs one tool call to its end, through approval and retries, and gives the message that tells the model of it. What
 * the ledger says was done already is not done again.
 */
export async function runToolCall(
  context: RunContext,
  call: RequestedToolCall,
  offered: ReadonlyMap<string, AgentTool>,
): Promise<ChatMessage> {
  let answer: unknown
  try {
    const known = await readToolCall(context, call.toolCallId)
    if (known.error !== undefined && !known.isHeld) {
      answer = describeError(known.error)
    } else {
      const work = await admit(context, call, offered)
      answer = work === undefined ? rejected : await work()
    }
  } catch (error) {
    if (!(error instanceof ToolError)) throw error
    await fail(context, call.toolCallId, error, null)
    answer = describeError(error)
  }
  const message: ChatMessage = { role: 'tool', tool_call_id: call.toolCallId, content: JSON.stringify(answer) }
  await context.recorder.commit(async (transaction) => {
    await transaction.transcript.append({ runId: context.run.runId, message })
    return []
  })
  return message
}

const rejected = { status: 'rejected', message: 'The person rejected this. Nothing was changed.' }

/** Checks the call and asks the person where it must; undefined when they said no. */
async function admit(context: RunContext, call: RequestedToolCall, offered: ReadonlyMap<string, AgentTool>) {
  const { services } = context
  const tool = offered.get(call.name)
  if (tool === undefined) {
    throw new ToolError({ code: 'unknown_tool', message: `There is no tool "${call.name}" here.` })
  }
  const input = parseToolArgumentsText(tool, call.arguments)
  const { approval } = tool
  if (approval === undefined) {
    return () => attempt(context, call.toolCallId, { tool, input, preview: undefined, edited: false })
  }
  const createPreview = () =>
    services.store.transaction((transaction) => approval.preview(input, createToolContext(context, transaction)))
  const decided = await askApproval(context, { tool, approval, toolCallId: call.toolCallId, input, createPreview })
  if (decided.status === 'rejected') return undefined
  const work = { tool, input: decided.arguments, preview: decided.preview, edited: decided.status === 'modified' }
  return () => attempt(context, call.toolCallId, work)
}

/** Tries until it works, the error is for good, or nobody asks for another attempt; then gives what the model hears. */
async function attempt(context: RunContext, firstId: string, work: Work): Promise<unknown> {
  for (let toolCallId = firstId; ; ) {
    const known = await readToolCall(context, toolCallId)
    const { error, result } = known.status === 'succeeded' || known.error ? known : await tryOnce(context, known, work)
    if (error === undefined) {
      const note = 'The person edited the arguments before approving; these were used.'
      return { ok: true, result, ...(work.edited && { note, arguments: work.input }) }
    }
    const next = error.retryable ? await holdForRetry(context, toolCallId) : undefined
    if (next === undefined) return describeError(error)
    toolCallId = next
  }
}

interface Outcome {
  error?: ToolError
  result?: unknown
}

async function tryOnce(context: RunContext, known: KnownToolCall, work: Work): Promise<Outcome> {
  const { services } = context
  try {
    return { result: await execute(context, known, work) }
  } catch (error) {
    if (!(error instanceof ToolError)) throw error
    const holdUntil = error.retryable ? services.now() + services.settings.holdMs : null
    await fail(context, known.toolCallId, error, holdUntil)
    return { error }
  }
}

async function execute(context: RunContext, known: KnownToolCall, { tool, input, preview }: Work): Promise<unknown> {
  const { run, recorder, signal } = context
  const { toolCallId } = known
  // Refused once the run is cancelled: then the tool never starts. One that a stopped server had started wrote nothing:
  // what a tool writes is kept together with its success.
  if (known.status !== 'started') {
    await recorder.commit(async (transaction) => {
      await transaction.toolCalls.update(run.runId, toolCallId, { status: 'started' })
      return [{ type: 'tool.running', payload: { toolCallId } }]
    })
  }
  await tool.connect?.(run.ownerId, signal)
  let result: unknown
  await recorder.commit(async (transaction) => {
    result = await tool.run(input, createToolContext(context, transaction), preview)
    await transaction.toolCalls.update(run.runId, toolCallId, { status: 'succeeded' })
    return [{ type: 'tool.completed', payload: { toolCallId, result } }]
  })
  return result
}

function fail({ run, recorder }: RunContext, toolCallId: string, error: ToolError, holdUntil: number | null) {
  const { message, code, retryable } = error
  const payload = { toolCallId, error: { message, code, retryable } }
  return recorder.commit(async (transaction) => {
    await transaction.toolCalls.update(run.runId, toolCallId, { status: 'failed', holdUntil })
    return [{ type: 'tool.failed', payload }]
  })
}

function describeError({ code, message, retryable }: ToolError) {
  return { error: { code, message, retryable } }
}

function createToolContext({ services, run }: RunContext, transaction: RunServerTransaction): ToolContext {
  return { ownerId: run.ownerId, transaction, now: services.now, createId: services.createId }
}
