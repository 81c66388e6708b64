import type { ChatMessage } from '../chat/chatMessage.ts'
import type { RequestedToolCall } from '../chat/createToolCallAssembler.ts'
import type { AgentTool } from '../tools/agentTool.ts'
import { parseToolArgumentsText } from '../tools/parseToolArgumentsText.ts'
import { ToolError } from '../tools/toolError.ts'
import { askApproval } from './askApproval.ts'
import { createToolContext } from './createToolContext.ts'
import { executeTool, type ToolWork } from './executeTool.ts'
import { failToolCall } from './failToolCall.ts'
import { holdForRetry } from './holdForRetry.ts'
import { readToolCall, type KnownToolCall } from './readToolCall.ts'
import type { RunContext } from './runContext.ts'

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
      answer = work.isDeclined ? work.answer : await attempt(context, call.toolCallId, work)
    }
  } catch (error) {
    if (!(error instanceof ToolError)) throw error
    await failToolCall(context, call.toolCallId, { error, holdUntil: null })
    answer = describeError(error)
  }
  const message: ChatMessage = { role: 'tool', tool_call_id: call.toolCallId, content: JSON.stringify(answer) }
  await context.recorder.commit(async (transaction) => {
    await transaction.transcript.append({ runId: context.run.runId, message })
    return []
  })
  return message
}

interface Declined {
  isDeclined: true
  answer: { status: string; message: string }
}

const rejected = { status: 'rejected', message: 'The person rejected this. Nothing was changed.' }
const expired = { status: 'expired', message: 'Nobody decided in time. Nothing was changed.' }

/** Checks the call and asks the person where it must. */
async function admit(
  context: RunContext,
  call: RequestedToolCall,
  offered: ReadonlyMap<string, AgentTool>,
): Promise<(ToolWork & { isDeclined: false }) | Declined> {
  const { services } = context
  const tool = offered.get(call.name)
  if (tool === undefined) {
    throw new ToolError({ code: 'unknown_tool', message: `There is no tool "${call.name}" here.` })
  }
  const input = parseToolArgumentsText(tool, call.arguments)
  const { approval } = tool
  if (approval === undefined) {
    return { isDeclined: false, tool, input, preview: undefined, edited: false, answer: undefined }
  }
  const createPreview = () =>
    services.store.read((transaction) => approval.preview(input, createToolContext(context, transaction)))
  const decided = await askApproval(context, { tool, approval, toolCallId: call.toolCallId, input, createPreview })
  if (decided.status === 'rejected') return { isDeclined: true, answer: rejected }
  if (decided.status === 'expired') return { isDeclined: true, answer: expired }
  return {
    isDeclined: false,
    tool,
    input: decided.arguments,
    preview: decided.preview,
    edited: decided.status === 'modified' && approval.ask === undefined,
    answer: decided.answer ?? undefined,
  }
}

/** Tries until it works, the error is for good, or nobody asks for another attempt; then gives what the model hears. */
async function attempt(context: RunContext, firstId: string, work: ToolWork): Promise<unknown> {
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

async function tryOnce(
  context: RunContext,
  known: KnownToolCall,
  work: ToolWork,
): Promise<{ error?: ToolError; result?: unknown }> {
  const { settings, now } = context.services
  try {
    return { result: await executeTool(context, known, work) }
  } catch (error) {
    if (!(error instanceof ToolError)) throw error
    const holdMs = error.isOutcomeUnknown ? settings.unknownHoldMs : settings.holdMs
    await failToolCall(context, known.toolCallId, { error, holdUntil: error.retryable ? now() + holdMs : null })
    return { error }
  }
}

function describeError({ code, message, retryable }: ToolError) {
  return { error: { code, message, retryable } }
}
