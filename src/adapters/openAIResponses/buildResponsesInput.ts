import { isFilled, isRecord } from '../../protocol/predicates.ts'
import type { AgentMessageContent } from '../../protocol/agentMessageContent.ts'
import type { AgentState } from '../../state/agentState.ts'
import type { AgentToolCallState } from '../../state/entities/agentToolCallState.ts'
import type { OpenAIToolResult } from '../openAI/openAIInput.ts'
import type { OpenAIFields } from '../openAI/openAIProviderOptions.ts'
import {
  readConversation,
  type ConversationCall,
  type ConversationEntry,
  type ConversationRun,
} from '../openAI/readConversation.ts'
import { readCustomInput } from '../openAI/readCustomInput.ts'
import { readMessageText } from '../openAI/readMessageText.ts'
import { parseArguments } from '../support/parseArguments.ts'
import { readName, readRecord, type WireFields } from './responseFields.ts'
import { toResponsesContent } from './responsesContent.ts'
import { toolOutputItem } from './toolOutputItem.ts'

/** What a request goes on from: items, and the response before them, where the service keeps that. */
export interface ResponsesInput {
  readonly input: readonly OpenAIFields[]
  readonly previousResponseId?: string | undefined
}

/**
 * Builds what a request goes on from, out of what the session has come to: after the latest response that the service
 * keeps, else after the beginning.
 */
export function buildResponsesInput(
  state: AgentState,
  options: {
    /** The run that asks: what it began with is not history. */
    exceptRunId?: string | undefined
    message?: AgentMessageContent | undefined
    toolResults?: readonly OpenAIToolResult[] | undefined
    isStateless: boolean
    /** Answers to approvals that are no facts yet. */
    decisions?: ReadonlyMap<string, boolean> | undefined
  },
): ResponsesInput {
  const { exceptRunId, message, toolResults, isStateless, decisions } = options
  const runs = readConversation(state, { exceptRunId, toolResults })
  const latest = isStateless ? -1 : runs.findLastIndex((run) => getResponseId(run) !== undefined)
  const previousResponseId = latest === -1 ? undefined : getResponseId(runs[latest]!)
  const before = latest === -1 ? [] : runs[latest]!.entries.flatMap((entry) => toAnswer(entry, previousResponseId!))
  const after = runs.slice(latest + 1).flatMap(({ entries }) => entries.flatMap((entry) => toItems(entry, decisions)))
  const said = message === undefined ? [] : [{ role: 'user', content: toResponsesContent(message) }]
  return { input: [...before, ...after, ...said], previousResponseId }
}

function getResponseId({ run }: ConversationRun): string | undefined {
  return run.status === 'completed' ? readName(readRecord(run.output).responseId) : undefined
}

/** What the adapter noted of an entity when it came. */
const readNote = ({ meta }: { readonly meta?: WireFields }): WireFields => readRecord(meta?.openai)

/** Answers a call of the latest response: the service takes nothing further before all of them are. */
function toAnswer(entry: ConversationEntry, responseId: string): OpenAIFields[] {
  if (entry.kind !== 'call' || !isHanded(entry.call)) return []
  const { responseId: own = responseId } = readNote(entry.call)
  return own === responseId ? [toolOutputItem(describe(entry.call), entry.answer)] : []
}

/** Whether a call was left to the app: the service's own are answered by itself. */
const isHanded = ({ status, meta }: AgentToolCallState): boolean =>
  status === 'cancelled' && isFilled(readNote({ meta }).type) && readNote({ meta }).type !== 'mcp_approval_request'

const describe = (call: AgentToolCallState) => {
  const { callId, type } = readNote(call)
  return { id: readName(callId) ?? call.id, type: readName(type) ?? 'function_call' }
}

function toItems(entry: ConversationEntry, decisions: ReadonlyMap<string, boolean> | undefined): OpenAIFields[] {
  switch (entry.kind) {
    case 'message': {
      const { role, content } = entry.message
      if (role !== 'assistant') return [{ role, content: toResponsesContent(content) }]
      const text = readMessageText(content)
      return text === '' ? [] : [{ role, content: text }]
    }
    case 'reasoning': {
      const { item } = readNote(entry.reasoning)
      return isRecord(item) ? [item] : []
    }
    case 'approval': {
      const { id, decision } = entry.approval
      const { item } = readNote(entry.approval)
      const approve = decision === undefined ? decisions?.get(id) : decision !== 'rejected'
      if (!isRecord(item) || approve === undefined || decision === 'expired') return []
      return [item, { type: 'mcp_approval_response', approval_request_id: readName(item.id) ?? id, approve }]
    }
    case 'call':
      return toCallItems(entry)
  }
}

/** A call and its answer; searches and the like are left out, as what they found is in what was said. */
function toCallItems({ call, answer }: ConversationCall): OpenAIFields[] {
  const { type, itemId, server, request } = readNote(call)
  const { name, arguments: text } = call
  switch (type) {
    case undefined:
    case 'function_call':
    case 'custom_tool_call': {
      if (!answer && type === undefined) return []
      const asked = { type: type ?? 'function_call', call_id: describe(call).id, name }
      const input = readCustomInput(call)
      const given = input === undefined ? { arguments: text === '' ? '{}' : text } : { input }
      return [{ ...asked, ...given }, toolOutputItem(describe(call), answer)]
    }
    case 'mcp_call': {
      if (!answer) return []
      const output = typeof answer.result === 'string' ? answer.result : JSON.stringify(answer.result)
      const asked = { type, id: itemId, server_label: server, name, arguments: text, output }
      return [{ ...asked, ...(request !== undefined && { approval_request_id: request }) }]
    }
    case 'local_shell_call':
    case 'shell_call':
    case 'apply_patch_call': {
      const stated = { type, call_id: describe(call).id, status: 'completed', ...(type === 'local_shell_call' && { id: itemId }) }
      const given = { [type === 'apply_patch_call' ? 'operation' : 'action']: parseArguments(text) }
      return [{ ...stated, ...given }, toolOutputItem(describe(call), answer)]
    }
    default:
      return []
  }
}
