import { readAgUiMeta, type AgUiMeta } from './agUiMeta.ts'
import type { AgUiScope } from './agUiScope.ts'
import type { TextEntity } from './createTextEntities.ts'
import type { ActivityMapper } from './mapActivities.ts'
import type { MessageMapper } from './mapMessages.ts'
import { readWireRecords } from './mapRecord.ts'
import type { ReasoningMapper } from './mapReasoning.ts'
import type { ToolMapper, WireResult } from './mapTools.ts'
import type { AgUiSnapshotMessage } from './parseAgUiEvent.ts'
import { toText } from './toText.ts'

type SnapshotCall = NonNullable<AgUiSnapshotMessage['toolCalls']>[number]

export interface SnapshotParts {
  messages: MessageMapper
  reasoning: ReasoningMapper
  tools: ToolMapper
  activities: ActivityMapper
  takeResult: (result: WireResult) => void
  /** Keeps the id that the runtime gives a message that is known under another. */
  rename: (entity: TextEntity, wireId: string) => void
  encrypt: (entityId: string, value: string) => void
  /** What the run was asked. */
  question: TextEntity | undefined
}

/**
 * Takes the whole conversation as the runtime has it: what is known is recognised by its id, its tool calls or its
 * words, and keeps its place; what is beyond it is new. What came before this run's question, and is not known, is
 * history, which is not this run's to tell.
 */
export function takeSnapshot(
  scope: AgUiScope,
  snapshot: readonly AgUiSnapshotMessage[],
  parts: SnapshotParts,
): void {
  const { messages, reasoning, tools, activities } = parts
  const known = indexKnown(scope)
  const claimed = new Set<TextEntity>()
  const { question } = parts
  const begin = snapshot.findLastIndex(
    ({ id, role, content }) =>
      role === 'user' && question !== undefined && (id === question.wireId || toText(content) === question.text),
  )
  const boundary = begin >= 0 ? begin : snapshot.findLastIndex((message) => known.has(message.id))

  function findMessage(
    { id, content, toolCalls }: AgUiSnapshotMessage,
    isNew: boolean,
  ): TextEntity | undefined {
    const byId = messages.texts.find(id)
    if (byId) return byId
    const call = toolCalls?.map((toolCall) => tools.find(toolCall.id)).find((entry) => entry !== undefined)
    const byCall =
      call?.meta.parentMessageId === undefined ? undefined : messages.texts.find(call.meta.parentMessageId)
    if (byCall) return byCall
    const text = toText(content)
    if (!isNew || text === '') return undefined
    return messages.texts
      .all()
      .find(
        (entity) =>
          !claimed.has(entity) &&
          entity !== question &&
          !snapshot.some((message) => message.id === entity.wireId) &&
          (entity.text === text || (entity.isOpen && entity.text !== '' && text.startsWith(entity.text))),
      )
  }

  function takeAssistant(message: AgUiSnapshotMessage, isNew: boolean) {
    const text = toText(message.content)
    let entity = findMessage(message, isNew)
    if (entity) {
      claimed.add(entity)
      messages.texts.reconcile(entity, text)
      if (entity.wireId !== message.id) parts.rename(entity, message.id)
    } else if (isNew && text !== '') {
      entity = messages.start(message.id, { meta: { name: message.name, subagentRunId: message.subagentRunId } })
      claimed.add(entity)
      messages.append(message.id, text)
      messages.end(message.id)
    }
    if (message.encryptedValue !== undefined && entity) parts.encrypt(message.id, message.encryptedValue)
    const { subagentRunId } = message
    for (const call of message.toolCalls ?? []) {
      takeCall(call, { parentMessageId: entity?.wireId ?? message.id, subagentRunId }, isNew)
    }
  }

  function takeCall(call: SnapshotCall, owner: Pick<AgUiMeta, 'parentMessageId' | 'subagentRunId'>, isNew: boolean) {
    const { id, function: called, encryptedValue } = call
    const entry = tools.find(id)
    if (!entry && !isNew) return
    const meta: AgUiMeta = { ...owner, encryptedValue }
    if (entry) tools.reconcile(entry, called.arguments)
    else {
      tools.start({ id, name: called.name, arguments: called.arguments, meta })
      tools.end(id)
    }
    if (encryptedValue !== undefined) parts.encrypt(id, encryptedValue)
  }

  function takeReasoning(message: AgUiSnapshotMessage, isNew: boolean) {
    const text = toText(message.content)
    const entity =
      reasoning.texts.find(message.id) ??
      reasoning.texts
        .all()
        .find(({ text: held, isOpen }) => text !== '' && (held === text || (isOpen && text.startsWith(held))))
    if (entity) reasoning.texts.reconcile(entity, text)
    else if (isNew && text !== '') {
      reasoning.start(message.id, { subagentRunId: message.subagentRunId })
      reasoning.append(message.id, text)
      reasoning.end(message.id)
    }
    if (message.encryptedValue !== undefined && (entity || isNew)) {
      parts.encrypt(entity?.wireId ?? message.id, message.encryptedValue)
    }
    reasoning.settle()
  }

  for (const [index, message] of snapshot.entries()) {
    const { id, role, content } = message
    const isNew = index > boundary && !known.has(id)
    if (isNew) for (const { texts } of [messages, reasoning]) texts.tell(id)
    switch (role) {
      case 'assistant':
        takeAssistant(message, isNew)
        break
      case 'tool':
        if (message.toolCallId !== undefined && (tools.find(message.toolCallId) || isNew)) {
          const result = typeof content === 'string' || Array.isArray(content) ? content : ''
          parts.takeResult({ toolCallId: message.toolCallId, messageId: id, content: result, error: message.error })
        }
        break
      case 'reasoning':
        takeReasoning(message, isNew)
        break
      case 'activity':
        if (isNew || activities.has(id)) {
          const { activityType = 'activity' } = message
          activities.replace({ messageId: id, activityType, content: content ?? {}, replace: true })
        }
        break
      case 'user':
        if (index === begin && question) {
          if (question.wireId !== id) parts.rename(question, id)
        } else if (isNew && !messages.texts.find(id)) stateMessage(message)
        break
      default:
        if (isNew && !messages.texts.find(id)) stateMessage(message)
    }
  }

  function stateMessage({ id, role, content }: AgUiSnapshotMessage) {
    messages.start(id, { role, meta: {} })
    messages.append(id, toText(content))
    messages.end(id)
  }
}

/** What the session knows of other runs, by the ids of the wire. */
function indexKnown({ getAgentState, runId }: AgUiScope): ReadonlySet<string> {
  const state = getAgentState()
  const known = new Set<string>()
  for (const message of Object.values(state?.messages ?? {})) {
    if (message.runId === runId) continue
    known.add(message.id)
    const { messageId } = readAgUiMeta(message)
    if (messageId !== undefined) known.add(messageId)
  }
  for (const call of Object.values(state?.toolCalls ?? {})) {
    if (call.runId === runId) continue
    const { parentMessageId, resultMessageId } = readAgUiMeta(call)
    for (const id of [call.id, parentMessageId, resultMessageId]) if (id !== undefined) known.add(id)
  }
  for (const entry of Object.values(state?.reasoning ?? {})) if (entry.runId !== runId) known.add(entry.id)
  for (const artifact of Object.values(state?.artifacts ?? {})) {
    if (artifact.runId === runId) continue
    const { messageId } = readAgUiMeta(artifact)
    if (messageId !== undefined) known.add(messageId)
  }
  if (state) for (const alias of readWireRecords(state).aliases.values()) known.add(alias)
  return known
}
