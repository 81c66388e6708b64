import type { AgentMessageContent } from '../../protocol/agentMessageContent.ts'
import { readConversation, type ConversationCall, type ConversationEntry } from '../openAI/readConversation.ts'
import { toToolText } from '../openAI/toolText.ts'
import { readMessageText } from '../openAI/readMessageText.ts'
import type { AgentState } from '../../state/agentState.ts'
import type { AgentToolCallState } from '../../state/entities/agentToolCallState.ts'
import { readCustomInput } from '../openAI/readCustomInput.ts'
import type { OpenAIToolResult } from '../openAI/openAIInput.ts'
import { toChatContent } from './chatContent.ts'
import type { OpenAIChatMessage } from './openAIChatMessage.ts'

/**
 * Builds the messages of the next request from what the session has come to, so that a conversation goes on, also after
 * a reload. Calls that nobody answered are left out: the wire takes none without its answer.
 */
export function buildChatMessages(
  state: AgentState,
  options: {
    runId: string
    instructions?: string | undefined
    message?: AgentMessageContent | undefined
    toolResults?: readonly OpenAIToolResult[] | undefined
    /** The field in which a service wants its own reasoning back, if it does. */
    reasoningField?: string | undefined
  },
): OpenAIChatMessage[] {
  const { runId, instructions, message, toolResults, reasoningField } = options
  const messages: OpenAIChatMessage[] = []
  if (instructions !== undefined) messages.push({ role: 'system', content: instructions })
  for (const { entries } of readConversation(state, { exceptRunId: runId, toolResults })) {
    const reasoning = reasoningField === undefined ? '' : readReasoning(entries)
    let text = ''
    let calls: ConversationCall[] = []

    const flush = () => {
      if (text === '' && calls.length === 0) return
      messages.push(
        toAssistant(text, calls, reasoning === '' ? {} : { [reasoningField!]: reasoning }),
        ...calls.map(toAnswer),
      )
      text = ''
      calls = []
    }

    for (const entry of entries) {
      if (entry.kind === 'call' && entry.answer) calls.push(entry)
      if (entry.kind !== 'message') continue
      const { role, content } = entry.message
      if (role === 'assistant') {
        if (calls.length > 0) flush()
        text += readMessageText(content)
        continue
      }
      flush()
      messages.push({ role, content: toChatContent(content) })
    }
    flush()
  }
  if (message !== undefined) messages.push({ role: 'user', content: toChatContent(message) })
  return messages
}

function toAssistant(text: string, calls: readonly ConversationCall[], reasoning: object): OpenAIChatMessage {
  const stated = { role: 'assistant', content: text === '' ? null : text, ...reasoning }
  if (calls.length === 0) return stated
  const asked = calls.map(({ call }) => ({ id: call.id, ...toCalled(call) }))
  return { ...stated, tool_calls: asked }
}

function toCalled(call: AgentToolCallState): object {
  const { name, arguments: text } = call
  const input = readCustomInput(call)
  if (input !== undefined) return { type: 'custom', custom: { name, input } }
  return { type: 'function', function: { name, arguments: text === '' ? '{}' : text } }
}

const toAnswer = ({ call, answer }: ConversationCall): OpenAIChatMessage => ({
  role: 'tool',
  tool_call_id: call.id,
  content: toToolText(answer?.result),
})

function readReasoning(entries: readonly ConversationEntry[]): string {
  return entries
    .map((entry) => (entry.kind === 'reasoning' && !entry.reasoning.redacted ? entry.reasoning.content : ''))
    .join('')
}
