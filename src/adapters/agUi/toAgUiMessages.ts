import type { AgentState } from '../../state/agentState.ts'
import { recordOfKind } from '../../state/agentState.ts'
import type { AgentMessageState } from '../../state/entities/agentMessageState.ts'
import type { AgentToolCallState } from '../../state/entities/agentToolCallState.ts'
import { getAgentEntityKey } from '../../protocol/getAgentEntityKey.ts'
import { getOwn } from '../../state/ownRecord.ts'
import { readAgUiMeta, type AgUiMeta } from './agUiMeta.ts'
import type { AgUiMessage, AgUiToolCall } from './agUiWire.ts'
import { readWireRecords } from './mapRecord.ts'
import { toAgUiContent } from './toAgUiContent.ts'
import { toText } from './toText.ts'
import { toToolContent } from './toToolContent.ts'

type Draft = { -readonly [Key in keyof AgUiMessage]: AgUiMessage[Key] } & Record<string, unknown>

/**
 * Makes the conversation as AG-UI sends it of a session's state: messages, tool calls with their results, reasoning,
 * under the ids that the runtime gave them. Activities and the shared state are no messages; a call that was given up
 * without a result is left out, as a model could not go on from it.
 *
 * @example
 * const messages = toAgUiMessages(agent.selectors.selectAgentState(store.getState(), 'c1'))
 * @experimental
 */
export function toAgUiMessages(state: AgentState): AgUiMessage[] {
  const record = readWireRecords(state)
  const drafts: Draft[] = []
  const byId = new Map<string, Draft>()
  /** The messages that stand for an entity, whatever id they have on the wire by now. */
  const byEntity = new Map<string, Draft>()

  const wireIdOf = (id: string) => record.aliases.get(id) ?? id

  function add(message: AgUiMessage): Draft {
    const draft = { ...message } as Draft
    drafts.push(draft)
    byId.set(message.id, draft)
    return draft
  }

  function addMessage(message: AgentMessageState) {
    const { role, content } = message
    const meta = readAgUiMeta(message)
    const id = wireIdOf(meta.messageId ?? message.id)
    const extra = { ...(meta.name !== undefined && { name: meta.name }), ...encryptedOf(id, meta), ...ownerOf(meta) }
    if (role === 'user') add({ id, role: 'user', content: toAgUiContent(content), ...extra })
    else if (role === 'system') add({ id, role: 'system', content: toText(content), ...extra })
    else if (role === 'developer') add({ id, role: 'developer', content: toText(content), ...extra })
    else if (role === 'assistant') {
      const text = toText(content)
      const known = byId.get(id)
      // The wire's id opened again: it is one message there.
      if (known?.role === 'assistant') known.content = `${toText(known.content)}${text}`
      const draft = known?.role === 'assistant' ? known : add({ id, role: 'assistant', content: text, ...extra })
      byEntity.set(getAgentEntityKey(message.runId, message.id), draft)
    }
  }

  function addTool(tool: AgentToolCallState): Draft | undefined {
    const meta = readAgUiMeta(tool)
    const isGivenUp = tool.status === 'cancelled' && meta.resultMessageId === undefined
    if (isGivenUp) return undefined
    const id = wireIdOf(meta.parentMessageId ?? tool.id)
    const parent = tool.parentId === undefined ? undefined : byEntity.get(getAgentEntityKey(tool.runId, tool.parentId))
    const known = parent ?? byId.get(id)
    const owner = known?.role === 'assistant' ? known : add({ id, role: 'assistant', ...ownerOf(meta) })
    const call: AgUiToolCall = {
      id: tool.id,
      type: 'function',
      function: { name: tool.name, arguments: tool.arguments },
      ...encryptedOf(tool.id, meta),
    }
    owner.toolCalls = [...((owner.toolCalls as AgUiToolCall[] | undefined) ?? []), call]
    return owner
  }

  function encryptedOf(id: string, { encryptedValue = record.encrypted.get(id) }: AgUiMeta) {
    return encryptedValue === undefined ? {} : { encryptedValue }
  }

  const results = new Map<Draft, AgUiMessage[]>()
  for (const { kind, id, runId } of state.order) {
    const entity = getOwn(state[recordOfKind[kind]] as Readonly<Record<string, unknown>>, getAgentEntityKey(runId, id))
    if (entity === undefined) continue
    if (kind === 'message') addMessage(entity as AgentMessageState)
    else if (kind === 'reasoning') {
      const reasoning = entity as AgentState['reasoning'][string]
      const meta = readAgUiMeta(reasoning)
      const wireId = meta.messageId ?? id
      const extra = { ...encryptedOf(wireId, meta), ...ownerOf(meta) }
      const known = byId.get(wireId)
      if (known?.role === 'reasoning') Object.assign(known, extra, { content: `${toText(known.content)}${reasoning.content}` })
      else add({ id: wireId, role: 'reasoning', content: reasoning.content, ...extra })
    } else if (kind === 'tool') {
      const tool = entity as AgentToolCallState
      const owner = addTool(tool)
      const result = owner && toResult(tool)
      if (result) results.set(owner, [...(results.get(owner) ?? []), result])
    }
  }
  return drafts
    .filter((draft) => draft.role !== 'assistant' || draft.content !== '' || draft.toolCalls !== undefined)
    .flatMap((draft) => [withoutEmptyContent(draft), ...(results.get(draft) ?? [])])
}

/** Which subagent something is of; nothing for the agent itself. */
function ownerOf({ subagentRunId }: AgUiMeta): { subagentRunId?: string } {
  return subagentRunId === undefined ? {} : { subagentRunId }
}

/** An assistant's message that only calls tools has no content. */
function withoutEmptyContent(draft: Draft): AgUiMessage {
  if (draft.role !== 'assistant' || draft.content !== '') return draft as AgUiMessage
  const { content: _, ...rest } = draft
  return rest as AgUiMessage
}

function toResult(tool: AgentToolCallState): AgUiMessage | undefined {
  const meta = readAgUiMeta(tool)
  const { resultMessageId } = meta
  const id = resultMessageId ?? `${tool.id}:result`
  const common = { id, role: 'tool', toolCallId: tool.id, ...ownerOf(meta) } as const
  switch (tool.status) {
    case 'completed':
      return { ...common, content: toToolContent(tool.result) }
    case 'failed': {
      const { message = 'The tool failed.', details } = tool.error ?? {}
      return { ...common, content: details === undefined ? message : toToolContent(details), error: message }
    }
    case 'cancelled': {
      const reason = tool.reason ?? 'Cancelled.'
      return { ...common, content: reason, error: reason }
    }
    default:
      return undefined
  }
}
