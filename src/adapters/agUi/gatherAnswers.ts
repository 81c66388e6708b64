import type { AgentCommandOf } from '../../protocol/agentCommand.ts'
import { isRecord } from '../../protocol/predicates.ts'
import type { AgentState } from '../../state/agentState.ts'
import type { AgentApprovalState } from '../../state/entities/agentApprovalState.ts'
import { readAgUiMeta, type AgUiMeta } from './agUiMeta.ts'
import type { AgUiAnswer, AgUiDecision, AgUiMappingOptions } from './agUiOptions.ts'
import type { AgUiMessage, AgUiResumeEntry } from './agUiWire.ts'
import type { GivenAnswer } from './createAgUiMapper.ts'
import { createDigest } from './createDigest.ts'
import { toToolContent } from './toToolContent.ts'

type Resolution = AgentCommandOf<'approval.resolve'>['payload']

/** A question that waits, and what it is on the wire. */
export interface OpenQuestion {
  readonly id: string
  readonly toolCallId?: string | undefined
  readonly expiresAt?: number | undefined
  readonly meta: AgUiMeta
}

/** All that one request answers: what the wire is told, and what is a fact once the runtime has taken it. */
export interface AnswerBatch {
  /** The same for the same answers to the same questions. */
  readonly key: string
  readonly wireRunId: string
  readonly resume: readonly AgUiResumeEntry[]
  readonly messages: readonly AgUiMessage[]
  readonly forwardedProps: Readonly<Record<string, unknown>>
  readonly answers: readonly GivenAnswer[]
}

/** Where an answer's own key stands in its `metadata`. */
const namespace = 'redux-agent'

export const isExpired = ({ expiresAt }: OpenQuestion, now: number) => expiresAt !== undefined && expiresAt <= now

/** Lists what a run waits for. */
export function listOpenQuestions(state: AgentState, runId: string): OpenQuestion[] {
  return Object.values(state.approvals)
    .filter((approval) => approval.runId === runId && approval.status === 'waiting')
    .map((approval: AgentApprovalState) => ({
      id: approval.id,
      toolCallId: approval.toolCallId,
      expiresAt: approval.expiresAt,
      meta: readAgUiMeta(approval),
    }))
}

/**
 * Puts the answers to all questions of a run in the wire's words: interrupts as `resume[]`, what LangGraph asked in its
 * old way as `forwardedProps.command.resume`, results of the page's own tools as messages. What has expired can only be
 * given up.
 */
export function createAnswerBatch(batch: {
  questions: readonly OpenQuestion[]
  given: ReadonlyMap<string, Resolution>
  threadId: string
  runId: string
  now: number
  options: AgUiMappingOptions
}): AnswerBatch {
  const { questions, given, threadId, runId, now, options } = batch
  const toAnswer = options.toAnswer ?? createAnswer
  const resume: AgUiResumeEntry[] = []
  const messages: AgUiMessage[] = []
  const commands: unknown[] = []
  const answers: GivenAnswer[] = []

  for (const question of questions) {
    const { id, toolCallId, meta } = question
    const { interruptId = id, reason = '', responseSchema, metadata } = meta
    const resolution = given.get(id)
    const isLate = isExpired(question, now)
    const isGivenUp = resolution === undefined || (isLate && resolution.decision !== 'rejected')
    const { decision, data } = resolution ?? { decision: 'rejected' as const, data: undefined }
    const common = isGivenUp
      ? { approvalId: id, decision: 'expired' as const }
      : { approvalId: id, decision, ...(data !== undefined && { data }) }
    const about = toolCallId ?? meta.toolCallId
    const stated: AgUiDecision = { decision, data, reason, toolCallId: about, responseSchema, metadata }
    const keyOf = (answer: unknown) => createDigest([threadId, meta.wireRunId ?? runId, interruptId, answer])
    if (meta.kind === 'tool' && toolCallId !== undefined) {
      const resultMessageId = keyOf({ decision, data })
      messages.push(createToolMessage({ id: resultMessageId, toolCallId, decision, data }))
      answers.push({ ...common, toolCallId, resultMessageId })
    } else if (meta.kind === 'legacy') {
      const { payload } = isGivenUp ? { payload: { approved: false } } : toAnswer(stated)
      commands.push(payload ?? null)
      answers.push(common)
    } else {
      const answer = isGivenUp || isLate ? { status: 'cancelled' as const } : toAnswer(stated)
      resume.push({ interruptId, ...answer, metadata: { [namespace]: { key: keyOf(answer) } } })
      answers.push({ ...common, toolCallId })
    }
  }

  const key = createDigest([threadId, runId, resume, messages, commands])
  const command = commands.length === 0 ? {} : { command: { resume: commands.length === 1 ? commands[0] : commands } }
  return { key, wireRunId: createDigest([key, 'run']), resume, messages, forwardedProps: command, answers }
}

/**
 * Says a decision as most runtimes understand it: `{ approved }`, with `editedArgs` as a full replacement; the data
 * itself where something else than a tool call is asked. Who declines to give an answer that was asked for gives it up.
 */
function createAnswer({ decision, data, reason, toolCallId }: AgUiDecision): AgUiAnswer {
  if (decision === 'rejected') {
    if (reason === 'input_required') return { status: 'cancelled' }
    const why = readReason(data) ?? data
    return { status: 'resolved', payload: { approved: false, ...(why !== undefined && { reason: why }) } }
  }
  if (data === undefined) return { status: 'resolved', payload: { approved: true } }
  return { status: 'resolved', payload: toolCallId === undefined ? data : { approved: true, editedArgs: data } }
}

/** Why a person declined: `data`, or its `reason`. */
function readReason(data: unknown): string | undefined {
  const reason = isRecord(data) ? data.reason : data
  return typeof reason === 'string' && reason !== '' ? reason : undefined
}

function createToolMessage(answer: {
  id: string
  toolCallId: string
  decision: Resolution['decision']
  data: unknown
}): AgUiMessage {
  const { id, toolCallId, decision, data } = answer
  if (decision === 'rejected') {
    const reason = readReason(data) ?? 'Declined.'
    return { id, role: 'tool', toolCallId, content: reason, error: reason }
  }
  return { id, role: 'tool', toolCallId, content: toToolContent(data) }
}
