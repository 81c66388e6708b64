import { parseArguments } from '../support/parseArguments.ts'
import { isGranted, readReason, toOutput, toRefusal, type AiSdkAnswer } from './aiSdkAnswer.ts'
import { toMeta } from './aiSdkMeta.ts'
import type { AiSdkQuestion, AiSdkRun, AiSdkTool } from './aiSdkRun.ts'
import { failTool, findTool, over, setState } from './mapTools.ts'
import type { UIMessageChunkOf } from './uiMessageChunk.ts'

/** Takes a question about a call, of this stream or of an earlier one. */
export function askApproval(run: AiSdkRun, chunk: UIMessageChunkOf<'tool-approval-request'>): void {
  const { approvalId, reason } = chunk
  const tool = findTool(run, chunk.toolCallId)
  if (!tool || run.taken.has(`approval:${approvalId}`)) return
  run.undecided.delete(tool)
  const meta = {
    ...run.place(),
    ...(chunk.approvalDescriptor != null && { descriptor: chunk.approvalDescriptor }),
    ...(Object.hasOwn(chunk, 'inputSchemaInput') && { inputSchemaInput: chunk.inputSchemaInput }),
    ...(typeof reason === 'string' && { requestReason: reason }),
    ...(chunk.isAutomatic === true && { isAutomatic: true }),
    ...(typeof chunk.signature === 'string' && { signature: chunk.signature }),
  }
  ask(run, { id: approvalId, tool, isAutomatic: chunk.isAutomatic === true, isClientTool: false, meta }, reason)
}

/** Takes a decision that the server states, as it does of its own. */
export function takeDecision(run: AiSdkRun, chunk: UIMessageChunkOf<'tool-approval-response'>): void {
  const question = run.questions.get(chunk.approvalId)
  if (!question) return
  const { tool } = question
  if (typeof chunk.providerExecuted === 'boolean') {
    tool.meta = { ...tool.meta, providerExecuted: chunk.providerExecuted }
  }
  if (chunk.providerMetadata) tool.meta = { ...tool.meta, callProviderMetadata: chunk.providerMetadata }
  resolve(run, question, { decision: chunk.approved ? 'approved' : 'rejected', reason: chunk.reason ?? undefined })
  const options = { meta: toMeta(tool.meta) }
  tool.isDenied = !chunk.approved
  if (chunk.approved) run.emit('tool.running', { toolCallId: tool.id }, options)
  else run.emit('tool.arguments_delta', { toolCallId: tool.id, delta: '' }, options)
}

/** Calls that only the client can answer: all of theirs is there, and the server neither ran them nor asked. */
export function findClientTools(run: AiSdkRun): AiSdkTool[] {
  const asked = new Set([...run.questions.values()].map(({ tool }) => tool))
  return [...run.tools.values()].filter(
    (tool) =>
      !tool.isOver &&
      !asked.has(tool) &&
      tool.meta.state === 'input-available' &&
      tool.meta.providerExecuted !== true &&
      !tool.isDenied,
  )
}

/** Asks a person for what a client tool gives: the data of the answer is its output. */
export function askClientTool(run: AiSdkRun, tool: AiSdkTool): void {
  run.undecided.delete(tool)
  const meta = { ...run.place(), isClientTool: true }
  ask(run, { id: run.claim('approval', `client-tool:${tool.id}`), tool, isAutomatic: false, isClientTool: true, meta })
}

/** Takes the answers that the server was sent, once it goes on from them. */
export function takeAnswers(run: AiSdkRun, answers: readonly AiSdkAnswer[]): void {
  for (const answer of answers) {
    const question = run.questions.get(answer.approvalId)
    if (!question) continue
    const { tool, isClientTool } = question
    const { decision, data } = answer
    const isGiven = isGranted(answer)
    resolve(run, question, { decision, data, reason: isClientTool ? undefined : readReason(answer) })
    if (!isClientTool) {
      if (isGiven) run.emit('tool.running', { toolCallId: tool.id })
      else tool.isDenied = true
    } else if (isGiven) {
      const meta = setState(tool, 'output-available')
      over(run, tool)
      run.emit('tool.completed', { toolCallId: tool.id, result: toOutput(answer) }, meta)
    } else failTool(run, tool, { errorText: toRefusal(answer), code: 'declined' })
  }
}

/** Lets a question go that nobody will answer any more. */
export function expire(run: AiSdkRun, question: AiSdkQuestion): void {
  resolve(run, question, { decision: 'expired' })
}

function ask(run: AiSdkRun, question: AiSdkQuestion, description?: string | null): void {
  const { id: approvalId, tool, isClientTool } = question
  run.questions.set(approvalId, question)
  run.emit(
    'approval.requested',
    {
      approvalId,
      toolCallId: tool.id,
      ...(typeof description === 'string' && { description }),
      // The AI SDK runs a call with the arguments that it was asked about, so only a client tool's data is free.
      editable: isClientTool,
      ...(!isClientTool && { data: readInput(tool) }),
    },
    { meta: toMeta(question.meta) },
  )
}

function readInput({ text, meta }: AiSdkTool): unknown {
  return Object.hasOwn(meta, 'input') ? meta.input : parseArguments(text)
}

function resolve(
  run: AiSdkRun,
  { id: approvalId, meta }: AiSdkQuestion,
  stated: { decision: AiSdkAnswer['decision'] | 'expired'; data?: unknown; reason?: string | undefined },
): void {
  const { decision, data, reason } = stated
  run.questions.delete(approvalId)
  const options = reason === undefined ? undefined : { meta: toMeta({ ...meta, reason }) }
  run.emit('approval.resolved', { approvalId, decision, ...(data !== undefined && { data }) }, options)
}
