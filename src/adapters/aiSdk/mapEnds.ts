import { assertNever } from '../../assertNever.ts'
import type { AgentError } from '../../protocol/agentError.ts'
import { closeEntity, type EntityEnding } from '../support/closeEntity.ts'
import { aiSdkAdapter as adapter } from './aiSdkAdapter.ts'
import type { AiSdkRun } from './aiSdkRun.ts'
import { askClientTool, expire, findClientTools } from './mapApprovals.ts'
import { completeArtifacts, keepRecord } from './mapArtifacts.ts'
import { completeMessages } from './mapTexts.ts'

/** Ends a step: what it said and named stands. */
export function finishStep(run: AiSdkRun): void {
  completeMessages(run)
  completeArtifacts(run)
  for (const { kind, id, meta } of run.open.values()) {
    if (kind === 'reasoning' && meta.done === true) run.emit('reasoning.completed', { reasoningId: id })
  }
  if (run.step > run.filledStep) keepRecord(run, { steps: run.step })
}

/** Takes back what the step has brought: what is open is cancelled and not shown, what is over is only not sent on. */
export function resetStep(run: AiSdkRun): void {
  const meta = { reset: true }
  const from = run.stepStart
  for (const question of run.questions.values()) {
    if (question.tool.meta.step !== run.step) continue
    run.questions.delete(question.id)
    run.emit('approval.resolved', { approvalId: question.id, decision: 'expired' }, { meta })
  }
  const reason = 'reset'
  for (const { kind, id, meta: own } of run.open.values()) {
    if (own.step !== run.step) continue
    if (kind === 'message') run.emit('message.cancelled', { messageId: id, reason }, { meta })
    else if (kind === 'reasoning') run.emit('reasoning.cancelled', { reasoningId: id, reason }, { meta })
    else if (kind === 'tool') run.emit('tool.cancelled', { toolCallId: id, reason }, { meta })
    else if (kind === 'artifact') {
      const error = { message: 'The step was taken back.', code: reason }
      run.emit('artifact.failed', { artifactId: id, error }, { meta })
    }
  }
  for (const tool of run.tools.values()) if (tool.meta.step === run.step) tool.isOver = true
  run.messages.clear()
  run.texts.clear()
  run.reasoning.clear()
  run.undecided.clear()
  run.message = undefined
  if (from === run.nextPart) return
  const { dropped = [] } = run.record
  const isKnown = dropped.some(([first, end]) => first === from && end === run.nextPart)
  if (!isKnown) keepRecord(run, { dropped: [...dropped, [from, run.nextPart]], steps: run.step })
}

/** How the end of a stream is read. */
export interface EndOptions {
  /** Finish reasons that say that the answer is not whole. */
  incompleteFinishReasons: readonly string[]
}

/** Decides what the end of a stream means, by what it said last; without a word it means nothing. */
export function endStream(run: AiSdkRun, { incompleteFinishReasons }: EndOptions): void {
  const { abort, error, finish } = run.outcome
  if (run.isOver) return
  if (abort) return cancelRun(run, abort.reason)
  if (error !== undefined || finish?.reason === 'error') {
    return failRun(run, { message: error || `${adapter}: The agent failed; its own log says why.`, code: 'stream_error' })
  }
  if (!finish) return
  const { reason = 'stop' } = finish
  for (const question of run.questions.values()) if (question.isAutomatic) expire(run, question)
  const isIncomplete = incompleteFinishReasons.includes(reason)
  if (!isIncomplete && reason !== 'length' && reason !== 'content-filter') {
    for (const tool of findClientTools(run)) askClientTool(run, tool)
  }
  if (run.questions.size > 0) return park(run)
  if (isIncomplete) {
    return failRun(run, { message: `${adapter}: The answer is not whole (${reason.slice(0, 64)}).`, code: 'incomplete' })
  }
  closeRun(run, { status: 'completed' })
  run.emit('run.completed', { output: { finishReason: reason } })
}

/** Ends a run that was cancelled. */
export function cancelRun(run: AiSdkRun, reason: string | undefined): void {
  const stated = reason === undefined ? {} : { reason }
  closeRun(run, { status: 'cancelled', ...stated })
  run.emit('run.cancelled', stated)
}

/** Ends a run that failed. */
export function failRun(run: AiSdkRun, error: AgentError): void {
  closeRun(run, { status: 'failed', error })
  run.emit('run.failed', { error })
}

/** Ends what is said, and leaves open what waits for a person. */
export function park(run: AiSdkRun): void {
  finishStep(run)
  for (const { kind, id } of run.open.values()) {
    if (kind === 'message') run.emit('message.completed', { messageId: id })
    else if (kind === 'reasoning') run.emit('reasoning.completed', { reasoningId: id })
  }
  run.messages.clear()
  run.texts.clear()
  run.reasoning.clear()
  run.message = undefined
}

function closeRun(run: AiSdkRun, ending: EntityEnding): void {
  if (run.step > run.filledStep) keepRecord(run, { steps: run.step })
  run.isOver = true
  for (const entity of run.open.values()) run.push(closeEntity(run.events, entity, endingOf(entity.kind, ending)))
}

/** Not everything ends as its run does: a call that has no result is none, and data stands as it is. */
function endingOf(kind: Parameters<typeof closeEntity>[1]['kind'], ending: EntityEnding): EntityEnding {
  switch (kind) {
    case 'message':
    case 'reasoning':
    case 'task':
      return ending
    case 'tool':
      return { status: 'cancelled', reason: 'The run ended before the tool did.' }
    case 'artifact':
    case 'approval':
      return { status: 'completed' }
    default:
      return assertNever(kind)
  }
}
