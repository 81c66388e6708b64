import { assertNever } from '../../assertNever.ts'
import type { AiSdkRun } from './aiSdkRun.ts'
import { askApproval, takeDecision } from './mapApprovals.ts'
import { addData, addSource, addSteering, keepRecord, mergeMetadata } from './mapArtifacts.ts'
import { finishStep, resetStep } from './mapEnds.ts'
import { addReasoning, startReasoning } from './mapReasoning.ts'
import { addCustom, addText, endText, startText } from './mapTexts.ts'
import {
  addArguments,
  completeArguments,
  refuseArguments,
  startTool,
  takeDenial,
  takeFailure,
  takeResult,
} from './mapTools.ts'
import type { UIMessageChunk, UIMessageChunkOf } from './uiMessageChunk.ts'

type PlainChunk = Exclude<UIMessageChunk, UIMessageChunkOf<'file' | 'reasoning-file' | 'reasoning-end'>>

/** Takes a chunk into a run; what depends on how streams are read is taken elsewhere. */
export function applyChunkToRun(run: AiSdkRun, chunk: PlainChunk): void {
  switch (chunk.type) {
    case 'start':
      if (chunk.messageId) run.messageId = chunk.messageId
      return addMetadata(run, chunk.messageMetadata)
    case 'start-step':
      if (run.step > run.filledStep) keepRecord(run, { steps: run.step })
      run.step += 1
      run.stepStart = run.nextPart
      run.message = undefined
      return
    case 'finish-step':
      return finishStep(run)
    case 'reset-step':
      return resetStep(run)
    case 'text-start':
      return void startText(run, chunk)
    case 'text-delta':
      return addText(run, chunk)
    case 'text-end':
      return endText(run, chunk)
    case 'reasoning-start':
      return void startReasoning(run, chunk)
    case 'reasoning-delta':
      return addReasoning(run, chunk)
    case 'tool-input-start':
      return startTool(run, chunk)
    case 'tool-input-delta':
      return addArguments(run, chunk)
    case 'tool-input-available':
      return completeArguments(run, chunk)
    case 'tool-input-error':
      return refuseArguments(run, chunk)
    case 'tool-approval-request':
      return askApproval(run, chunk)
    case 'tool-approval-response':
      return takeDecision(run, chunk)
    case 'tool-output-available':
      return takeResult(run, chunk)
    case 'tool-output-error':
      return takeFailure(run, chunk)
    case 'tool-output-denied':
      return takeDenial(run, chunk)
    case 'source-url':
    case 'source-document':
      return addSource(run, chunk)
    case 'custom':
      return addCustom(run, chunk)
    case 'steering-message':
      return addSteering(run, chunk)
    case 'data':
      return addData(run, chunk)
    case 'message-metadata':
      return addMetadata(run, chunk.messageMetadata)
    case 'error':
      run.outcome = { ...run.outcome, error: chunk.errorText }
      return
    case 'abort':
      run.outcome = { ...run.outcome, abort: { reason: chunk.reason ?? undefined } }
      return
    case 'finish':
      run.outcome = { ...run.outcome, finish: { reason: chunk.finishReason ?? undefined } }
      return addMetadata(run, chunk.messageMetadata)
    default:
      return assertNever(chunk)
  }
}

function addMetadata(run: AiSdkRun, metadata: unknown): void {
  if (metadata != null) keepRecord(run, { metadata: mergeMetadata(run.record.metadata, metadata) })
}
