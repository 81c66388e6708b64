import { getAgentEntityKey } from '../../protocol/getAgentEntityKey.ts'
import { isRecord } from '../../protocol/predicates.ts'
import { recordOfKind, type AgentEntityKind, type AgentState } from '../../state/agentState.ts'
import type { AgentEntityBase } from '../../state/entities/agentEntityBase.ts'
import { isTerminal } from '../../state/isTerminal.ts'
import { getOwn } from '../../state/ownRecord.ts'
import { readAiSdkMeta, readTexts, type AiSdkMeta } from './aiSdkMeta.ts'
import type { AiSdkRecord, AiSdkRun } from './aiSdkRun.ts'
import { dataKey } from './mapArtifacts.ts'

interface Known {
  readonly kind: AgentEntityKind
  readonly id: string
  readonly entity: AgentEntityBase
  readonly meta: AiSdkMeta
  readonly isOpen: boolean
}

/**
 * Puts into a run what the state says of it: all, or what was there when its present stream began, where that one is
 * replayed from its start.
 */
export function restoreAiSdkRun(run: AiSdkRun, state: AgentState, base?: { part: number; step: number }): void {
  const isBefore = ({ part }: AiSdkMeta) => base === undefined || part === undefined || part < base.part
  const known = readEntities(state, run.runId).filter(({ meta }) => isBefore(meta))
  const parts = known.map(({ meta }) => meta)
  for (const { kind, id, isOpen, meta } of known) {
    run.taken.add(`${kind}:${id}`)
    if (isOpen) run.open.set(`${kind}:${id}`, { kind, id, meta })
  }
  restoreRecord(run, state)
  run.messageId = findLast(parts, 'messageId') ?? run.record.messageId ?? run.messageId
  run.nextPart = base?.part ?? known.flatMap(placesOf).reduce(greater, -1) + 1
  run.filledStep = parts.map(({ step = 0 }) => step).reduce(greater, 0)
  run.step = base?.step ?? Math.max(run.filledStep, run.record.steps ?? 0)
  const ofStep = known.filter(({ meta }) => meta.step === run.step).flatMap(placesOf)
  run.stepStart = ofStep.reduce((one, other) => Math.min(one, other), run.nextPart)
  restoreTools(run, state, known)
  for (const entry of known) if (entry.isOpen) restoreOpen(run, state, entry)
}

// By pairs: a call that is given all parts of a long run at once overflows the stack.
const greater = (one: number, other: number) => Math.max(one, other)

function readEntities(state: AgentState, runId: string): Known[] {
  return state.order.flatMap(({ kind, id, runId: owner }) => {
    if (owner !== runId) return []
    const record: Readonly<Record<string, AgentEntityBase>> = state[recordOfKind[kind]]
    const entity = getOwn(record, getAgentEntityKey(runId, id))
    return entity ? [{ kind, id, entity, meta: readAiSdkMeta(entity) ?? {}, isOpen: !isTerminal(entity.status) }] : []
  })
}

function placesOf({ meta, entity }: Known): number[] {
  const texts = readTexts(entity.meta).map(([part]) => part)
  return meta.part === undefined ? texts : [meta.part, ...texts]
}

function findLast(parts: readonly AiSdkMeta[], field: 'messageId'): string | undefined {
  return parts.findLast((meta) => typeof meta[field] === 'string')?.[field]
}

function restoreRecord(run: AiSdkRun, state: AgentState): void {
  const content = getOwn(state.artifacts, getAgentEntityKey(run.runId, 'ui-message'))?.content
  if (!isRecord(content)) return
  run.record = content as AiSdkRecord
  run.hasRecord = true
}

function restoreTools(run: AiSdkRun, state: AgentState, known: readonly Known[]): void {
  const denials = Object.values(state.approvals).filter(
    ({ runId, decision }) => runId === run.runId && decision === 'rejected',
  )
  const denied = new Set(denials.map(({ toolCallId }) => toolCallId))
  for (const { kind, id, meta, isOpen } of known) {
    if (kind !== 'tool') continue
    const { name, arguments: text } = state.toolCalls[getAgentEntityKey(run.runId, id)]!
    const isDenied = denied.has(id)
    const wireId = typeof meta.toolCallId === 'string' ? meta.toolCallId : id
    run.tools.set(wireId, { id, name, text, isOver: !isOpen, isDenied, meta })
  }
}

function restoreOpen(run: AiSdkRun, state: AgentState, { kind, id, entity, meta }: Known): void {
  const key = getAgentEntityKey(run.runId, id)
  if (kind === 'message') restoreMessage(run, state, { id, meta, entity })
  else if (kind === 'reasoning' && typeof meta.id === 'string' && meta.done !== true) {
    run.reasoning.set(meta.id, { id, meta })
  } else if (kind === 'artifact' && meta.type?.startsWith('data-') && meta.id !== undefined) {
    run.data.set(dataKey(meta.type, meta.id), id)
  } else if (kind === 'approval') {
    const { toolCallId } = state.approvals[key]!
    const tool = [...run.tools.values()].find((entry) => entry.id === toolCallId)
    if (!tool) return
    const isClientTool = meta.isClientTool === true
    run.questions.set(id, { id, tool, isAutomatic: meta.isAutomatic === true, isClientTool, meta })
  } else if (kind === 'tool' && entity.status === 'pending' && meta.state === 'input-available') {
    const isAsked = Object.values(state.approvals).some((entry) => entry.runId === run.runId && entry.toolCallId === id)
    const tool = [...run.tools.values()].find((entry) => entry.id === id)
    if (tool && !isAsked) run.undecided.add(tool)
  }
}

function restoreMessage(
  run: AiSdkRun,
  state: AgentState,
  { id, meta, entity }: Pick<Known, 'id' | 'meta' | 'entity'>,
): void {
  const { role, content } = state.messages[getAgentEntityKey(run.runId, id)]!
  if (role === 'user') return
  const message = { id, texts: 0 }
  run.messages.set(id, message)
  if (meta.step === run.step) run.message = message
  const parts = typeof content === 'string' ? [{ type: 'text', text: content }] : content
  let length = 0
  for (const part of parts) if (part.type === 'text' && 'text' in part) length += part.text.length
  for (const [part, text] of readTexts(entity.meta)) {
    if (text.custom) continue
    if (text.length === undefined && text.id !== undefined) {
      message.texts += 1
      run.texts.set(text.id, { message, part, length, providerMetadata: text.providerMetadata })
    } else length -= text.length ?? 0
  }
}
