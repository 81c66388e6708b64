import type { AgentCommand } from 'redux-agent'
import * as z from 'zod'
import { RunServerError } from '../runServerError.ts'
import type { ApprovalRow, EventRow, RunRow } from '../store/rows.ts'
import type { RunServerTransaction } from '../store/runServerStore.ts'
import { parseToolArguments } from '../tools/parseToolArguments.ts'
import { ToolError } from '../tools/toolError.ts'
import { appendEvents } from './appendEvents.ts'
import { describeApproval } from './describeApproval.ts'
import type { EventDraft } from './eventDraft.ts'
import { requireRunning } from './requireRunning.ts'
import type { RunServices } from './runServices.ts'

type Resolve = Extract<AgentCommand, { type: 'approval.resolve' }>['payload']

const answerSchema = z.looseObject({ answer: z.string().trim().min(1).max(10_000) })
const editSchema = z.looseObject({ arguments: z.record(z.string(), z.unknown()) })

/** Stores a person's decision; what they edited is checked and previewed anew before it counts. */
export async function resolveApproval(
  services: RunServices,
  transaction: RunServerTransaction,
  run: RunRow,
  { approvalId, decision, data, expectedVersion }: Resolve,
): Promise<EventRow[]> {
  const { runId } = run
  const approval = await transaction.approvals.get(runId, approvalId)
  if (approval === undefined) {
    throw new RunServerError({ status: 404, code: 'approval_not_found', message: 'There is no such approval.' })
  }
  await requireWaiting(transaction, run, approval)
  if (expectedVersion !== undefined && expectedVersion !== approval.version) {
    throw new RunServerError({
      status: 409,
      code: 'version_conflict',
      message: 'The approval has another version by now. Look at it again and decide anew.',
      details: { version: approval.version },
    })
  }
  const gate = services.tools.get(approval.toolName)?.approval
  const isQuestion = gate?.ask !== undefined
  const answer = isQuestion && decision !== 'rejected' ? readAnswer(data) : null
  const isEdit = decision === 'modified' && !isQuestion
  const decided = isEdit ? await edit(services, transaction, { run, approval, data }) : approval
  const { toolCallId, arguments: input, preview } = decided
  const described = { ...describeApproval(gate, decided), ...(answer !== null && { answer }) }
  const resolved = { approvalId, decision, data: described }
  const drafts: EventDraft[] = [{ type: 'approval.resolved', payload: resolved }]
  if (decision === 'rejected') drafts.push({ type: 'tool.cancelled', payload: { toolCallId, reason: 'rejected' } })
  const rows = await appendEvents(transaction, { runId, drafts, now: services.now() })
  await transaction.approvals.update(runId, approvalId, {
    status: decision,
    arguments: input,
    preview,
    answer,
    resolvedSeq: rows[0]!.seq,
  })
  if (decision === 'rejected') {
    await transaction.toolCalls.update(runId, toolCallId, { status: 'cancelled', completedAt: services.now() })
  }
  if (answer !== null) {
    const { ownerId, conversationId } = run
    const source = { ownerId, conversationId, runId, approvalId, toolCallId }
    await transaction.observations.insert({ ...source, question: preview.title, answer, observedAt: services.now() })
  }
  // Another attempt of the call is one of what was agreed to.
  const text = JSON.stringify(input)
  if (isEdit) await transaction.toolCalls.update(runId, toolCallId, { arguments: text })
  const waiting = await transaction.approvals.listWaiting(runId)
  if (waiting.length === 0) await transaction.runs.update(runId, { waitingSince: null })
  return rows
}

/** What a person said to a plain question. */
function readAnswer(data: unknown): string {
  const parsed = answerSchema.safeParse(data)
  if (parsed.success) return parsed.data.answer
  throw new RunServerError({
    status: 422,
    code: 'invalid_answer',
    message: 'This is a question: send data: { answer: "…" }, a text of at most 10,000 characters, or reject it.',
  })
}

async function requireWaiting(transaction: RunServerTransaction, run: RunRow, approval: ApprovalRow): Promise<void> {
  const { status, resolvedSeq } = approval
  if (status === 'waiting' || status === 'closed' || resolvedSeq === null) return requireRunning(transaction, run)
  throw new RunServerError({
    status: 409,
    code: 'already_decided',
    message: `This approval was decided already: it is ${status}.`,
    details: {
      decision: status,
      events: await transaction.events.list({ runId: run.runId, after: resolvedSeq - 1, limit: 1 }),
    },
  })
}

async function edit(
  services: RunServices,
  transaction: RunServerTransaction,
  { run, approval, data }: { run: RunRow; approval: ApprovalRow; data: unknown },
): Promise<ApprovalRow> {
  const tool = services.tools.get(approval.toolName)
  if (!approval.editable || tool?.approval === undefined) {
    throw new RunServerError({
      status: 422,
      code: 'not_editable',
      message: 'This cannot be edited. Approve or reject it.',
    })
  }
  const edited = editSchema.safeParse(data)
  if (!edited.success) {
    throw new RunServerError({
      status: 422,
      code: 'invalid_arguments',
      message: 'A modified decision needs data: { arguments: { … } } with all arguments of the tool.',
    })
  }
  const context = { ownerId: run.ownerId, transaction, now: services.now, createId: services.createId }
  try {
    const input = parseToolArguments(tool, edited.data.arguments)
    const preview = await tool.approval.preview(input, context)
    // The person decided on what they saw: of the same document, that is the version of the first preview.
    const isSame = preview.documentId === approval.preview.documentId
    const baseVersion = isSame ? approval.preview.baseVersion : preview.baseVersion
    return { ...approval, arguments: input, preview: { ...preview, baseVersion } }
  } catch (error) {
    if (!(error instanceof ToolError)) throw error
    throw new RunServerError({ status: 422, code: error.code, message: error.message, cause: error })
  }
}
