import { append } from '../../append.ts'
import { getAgentEntityKey } from '../../protocol/getAgentEntityKey.ts'
import { isRecord } from '../../protocol/predicates.ts'
import type { AgentEntityReference, AgentState } from '../../state/agentState.ts'
import type { AgentArtifactState } from '../../state/entities/agentArtifactState.ts'
import type { AgentMessageState } from '../../state/entities/agentMessageState.ts'
import type { AgentReasoningState } from '../../state/entities/agentReasoningState.ts'
import { getOwn } from '../../state/ownRecord.ts'
import { omitUndefined } from '../../state/omitUndefined.ts'
import type { AiSdkAnswer } from './aiSdkAnswer.ts'
import type { AiSdkMessage, AiSdkPart } from './aiSdkMessage.ts'
import { readAiSdkMeta, readTexts, type AiSdkMeta } from './aiSdkMeta.ts'
import type { AiSdkRecord } from './aiSdkRun.ts'
import { listReplacedRuns } from './listReplacedRuns.ts'
import { toToolPart } from './toToolPart.ts'
import { toUserParts } from './toUserParts.ts'

/** What `toUIMessages` makes messages of. */
export interface ToUIMessagesOptions {
  /** Of one session, where the state holds several. */
  sessionId?: string | undefined
  /** Runs whose messages are left out. */
  without?: readonly string[] | undefined
  /** A run that is about to be made anew: it and all that came after it are left out. */
  replaced?: string | undefined
  /** Decisions that are not facts yet, by approval: they are put into their parts, as a request that tells them does. */
  answers?: ReadonlyMap<string, AiSdkAnswer> | undefined
  /** Gives the `data:` URL of a file that is not kept in the state; a part of one that is gone is left out. */
  getFile?: ((reference: string) => string | undefined) | undefined
}

/**
 * Makes of a state the messages that the AI SDK's own client would have: for the next request, or for the app's own
 * store. Signatures, provider metadata and approval ids are those of the server. What another provider said goes in as
 * plain messages; a run that was made anew takes the place of the one before it.
 *
 * @experimental
 * @example
 * await convertToModelMessages(toUIMessages(state) as UIMessage[])
 */
export function toUIMessages(state: AgentState, options: ToUIMessagesOptions = {}): readonly AiSdkMessage[] {
  const byRun = new Map<string, AgentEntityReference[]>()
  for (const reference of state.order) {
    const ofRun = byRun.get(reference.runId)
    if (ofRun) ofRun.push(reference)
    else byRun.set(reference.runId, [reference])
  }
  const left = new Set([...(options.without ?? []), ...listReplacedRuns(state, options.replaced)])
  const messages: AiSdkMessage[] = []
  for (const [runId, references] of byRun) {
    const isOther = options.sessionId !== undefined && getOwn(state.runs, runId)?.sessionId !== options.sessionId
    if (!left.has(runId) && !isOther) append(messages, toRunMessages(state, { runId, references, options }))
  }
  return messages
}

interface PlacedPart {
  readonly part: number
  readonly step: number
  readonly made: AiSdkPart | undefined
}

function toRunMessages(
  state: AgentState,
  run: { runId: string; references: readonly AgentEntityReference[]; options: ToUIMessagesOptions },
): AiSdkMessage[] {
  const { runId, references, options } = run
  const messages: AiSdkMessage[] = []
  const placed: PlacedPart[] = []
  let record: AiSdkRecord = {}
  let messageId: string | undefined
  let latest = -1
  for (const { kind, id } of references) {
    const key = getAgentEntityKey(runId, id)
    const entity = readEntity(state, kind, key)
    const meta = entity && readAiSdkMeta(entity)
    if (!entity || !meta) {
      const plain = kind === 'message' ? state.messages[key] : undefined
      if (plain && plain.role !== 'tool') messages.push(toPlainMessage(plain))
      continue
    }
    if (meta.messageId !== undefined && (meta.part ?? 0) > latest) {
      latest = meta.part ?? 0
      messageId = meta.messageId
    }
    if (meta.type === 'ui-message') record = (state.artifacts[key]?.content ?? {}) as AiSdkRecord
    else append(placed, toParts(state, { kind, key, meta, options }))
  }
  const { dropped = [], steps = 0, metadata } = record
  const kept = placed
    .filter(({ part }) => !dropped.some(([from, end]) => part >= from && part < end))
    .sort((one, other) => one.part - other.part)
  if (kept.length === 0 && Object.keys(record).length === 0) return messages
  const answer: AiSdkMessage = {
    id: messageId ?? record.messageId ?? `${runId}:assistant`,
    role: 'assistant',
    ...(metadata !== undefined && { metadata }),
    parts: withSteps(kept, steps),
  }
  return [...messages, answer]
}

function withSteps(placed: readonly PlacedPart[], steps: number): AiSdkPart[] {
  const parts: AiSdkPart[] = []
  let step = 0
  const begin = (next: number) => {
    for (; step < next; step += 1) parts.push({ type: 'step-start' })
  }
  for (const { step: own, made } of placed) {
    begin(own)
    if (made) parts.push(made)
  }
  begin(steps)
  return parts
}

function readEntity(state: AgentState, kind: AgentEntityReference['kind'], key: string) {
  switch (kind) {
    case 'message':
      return state.messages[key]
    case 'reasoning':
      return state.reasoning[key]
    case 'tool':
      return state.toolCalls[key]
    case 'artifact':
      return state.artifacts[key]
    default:
      // An approval is a part of its call, and no task is of this wire.
      return undefined
  }
}

function toParts(
  state: AgentState,
  entry: { kind: AgentEntityReference['kind']; key: string; meta: AiSdkMeta; options: ToUIMessagesOptions },
): readonly PlacedPart[] {
  const { kind, key, meta, options } = entry
  const { part = 0, step = 0 } = meta
  const at = (made: AiSdkPart | undefined): readonly PlacedPart[] => [{ part, step, made }]
  if (kind === 'message') {
    const message = state.messages[key]!
    if (meta.type !== 'steering-message') return toTextParts(message, step)
    return at({ type: 'steering-message', id: meta.id, parts: meta.parts })
  }
  if (kind === 'reasoning') return at(toReasoningPart(state.reasoning[key]!, meta))
  if (kind === 'tool') return at(toToolPart(state, state.toolCalls[key]!, options.answers ?? new Map()))
  if (meta.type === 'preliminary') return []
  return at(toArtifactPart(state.artifacts[key]!, meta, options))
}

function toReasoningPart({ content: text }: AgentReasoningState, meta: AiSdkMeta): AiSdkPart {
  const state = meta.done === true ? 'done' : 'streaming'
  return { type: 'reasoning', id: meta.id, text, state, ...omitUndefined({ providerMetadata: meta.providerMetadata }) }
}

/** Takes a step's message apart into the texts that it was made of. */
function toTextParts({ content, meta }: AgentMessageState, step: number): PlacedPart[] {
  const rest = typeof content === 'string' ? [{ type: 'text' as const, text: content }] : [...content]
  let text = ''
  const fill = () => {
    while (rest[0]?.type === 'text') text += (rest.shift() as { text: string }).text
  }
  return readTexts(meta).map(([part, { custom, length, providerMetadata, citations }]) => {
    fill()
    if (custom) {
      const { data } = rest.shift() as { data: Record<string, unknown> }
      return { part, step, made: { type: 'custom', ...data } }
    }
    const own = text.slice(0, length ?? text.length)
    text = text.slice(own.length)
    const state = length === undefined ? 'streaming' : 'done'
    return { part, step, made: { type: 'text', text: own, state, ...omitUndefined({ providerMetadata, citations }) } }
  })
}

function toArtifactPart(
  { content }: AgentArtifactState,
  meta: AiSdkMeta,
  { getFile }: ToUIMessagesOptions,
): AiSdkPart | undefined {
  const { type = '', id, providerMetadata, isStored } = meta
  if (type.startsWith('data-')) return { type, ...omitUndefined({ id }), data: content }
  const fields = isRecord(content) ? content : {}
  const url = isStored === true ? getFile?.(String(fields.url)) : fields.url
  if (isStored === true && url === undefined) return undefined
  return { type, ...fields, ...omitUndefined({ url, providerMetadata }) }
}

function toPlainMessage({ id, role, content, meta }: AgentMessageState): AiSdkMessage {
  const metadata = meta?.aiSdkMetadata
  return {
    id,
    role: role === 'user' ? 'user' : role === 'system' ? 'system' : 'assistant',
    ...(metadata !== undefined && { metadata }),
    parts: toUserParts(content),
  }
}
