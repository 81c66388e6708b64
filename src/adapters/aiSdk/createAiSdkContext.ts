import { createAgentEventFactory } from '../../protocol/createAgentEventFactory.ts'
import type { AgentEvent } from '../../protocol/agentEvent.ts'
import type { AgentProviderContextOptions } from '../../provider/agentProvider.ts'
import { describeError } from '../../provider/describeError.ts'
import { AgentTransportError } from '../../transport/agentTransportError.ts'
import type { AdapterChunk } from '../support/adapterChunk.ts'
import { aiSdkAdapter as adapter } from './aiSdkAdapter.ts'
import type { AiSdkAnswer } from './aiSdkAnswer.ts'
import { AiSdkError } from './aiSdkError.ts'
import { addToPrint, type AiSdkCursor } from './aiSdkCursor.ts'
import { createAiSdkRun, type AiSdkRun } from './aiSdkRun.ts'
import { applyChunkToRun } from './applyChunkToRun.ts'
import { isEnd, isNeutral, isPreamble } from './chunkKinds.ts'
import { findClientTools, takeAnswers } from './mapApprovals.ts'
import { addFile } from './mapArtifacts.ts'
import { cancelRun, endStream, failRun, park, type EndOptions } from './mapEnds.ts'
import { endReasoning } from './mapReasoning.ts'
import { decideRunning } from './mapTools.ts'
import { restoreAiSdkRun } from './restoreAiSdkRun.ts'
import { parseUIMessageChunk, type UIMessageChunk, type UIMessageChunkOf } from './uiMessageChunk.ts'

/** Data of the app that is told once and never kept. */
export interface AiSdkTransientData {
  readonly sessionId: string
  readonly runId: string
  readonly name: string
  readonly id?: string | undefined
  readonly data: unknown
}

/** How streams are read. */
export interface AiSdkContextOptions extends EndOptions {
  mayResetSteps: boolean
  maxInlineFileSize: number
  putFile: (url: string, file: { mediaType: string }) => string
  onTransientData: ((data: AiSdkTransientData) => void) | undefined
}

/** A run that is read: its streams, one after the other, become its events. */
export interface AiSdkContext {
  readonly sessionId: string
  readonly runId: string
  readonly run: AgentProviderContextOptions
  /** The server's own id of the run, by which its stream is taken up again. */
  serverRunId: string | undefined
  getMessageId(): string
  transform(chunk: AdapterChunk): readonly AgentEvent[]
  /** Says what the end of the stream means. */
  end(): readonly AgentEvent[]
  /** Ends the run by an error of the wire, unless it only waits for its answers to be sent again. */
  fail(error: unknown): readonly AgentEvent[]
  /** Ends the run by its server's word that it was stopped. */
  cancel(reason: string | undefined): readonly AgentEvent[]
  getCursor(): string | undefined
  /** Goes on after a cursor: with a stream that begins anew, or with the chunks after it. */
  resume(cursor: AiSdkCursor, options: { isReplay: boolean }): void
  /** Begins the stream that these answers brought; they are facts once it goes on from them. */
  continueWith(answers: readonly AiSdkAnswer[]): void
  /** Whether the server went on from the answers that it was sent; where it did not, `error` says why, if it said so. */
  getAcceptance(): { isAccepted: boolean; error?: string | undefined }
  isOver(): boolean
  /** Whether the stream has said how it ends. */
  hasOutcome(): boolean
  /** Whether a replay has come to where the run stood. */
  isReplaying(): boolean
  /** The approvals that wait, while nothing else does: what the next request must bring answers for. */
  getQuestions(): readonly string[]
  /** Whether a call has all its arguments, and neither a result nor a question: its stream has more to say. */
  hasUndecidedCalls(): boolean
}

export function createAiSdkContext(
  options: AgentProviderContextOptions,
  how: AiSdkContextOptions,
): AiSdkContext {
  const { sessionId, runId } = options
  const run = createAiSdkRun({ runId, events: options.events })
  let base = { part: 0, step: 0 }
  let chunks = 0
  let print = 0
  let replay: { until: number; print: number; messageId?: string | undefined } | undefined
  let answers: readonly AiSdkAnswer[] | undefined
  let preamble: UIMessageChunk[] = []

  // A context of a run that is under way: what it needs of the state is read once that is sure to be there.
  let isRestored = options.initialSequence === undefined
  function restore(from?: { part: number; step: number }): void {
    isRestored = true
    const state = options.getAgentState?.()
    if (state) restoreAiSdkRun(run, state, from)
    else if (from) Object.assign(run, { nextPart: from.part, step: from.step, stepStart: from.part })
    base = from ?? { part: run.nextPart, step: run.step }
  }
  const known = (): AiSdkRun => {
    if (!isRestored) restore()
    return run
  }

  function count(data: unknown): void {
    chunks += 1
    print = addToPrint(print, data)
    if (!replay || chunks < replay.until) return
    const { print: expected } = replay
    replay = undefined
    run.events = options.events
    run.take()
    if (print !== expected) throw otherStream()
  }

  function applyChunk(chunk: UIMessageChunk): void {
    if (run.isOver) return
    if (!isNeutral(chunk)) decideRunning(run)
    if (chunk.type === 'data' && chunk.transient) {
      const { name, id, data } = chunk
      if (!replay) how.onTransientData?.({ sessionId, runId, name, data, ...(id != null && { id }) })
    } else if (chunk.type === 'file' || chunk.type === 'reasoning-file') {
      addFile(run, chunk, placeFile(chunk, how, replay !== undefined))
    } else if (chunk.type === 'reasoning-end') endReasoning(run, chunk, how)
    else {
      const { messageId } = chunk.type === 'start' ? chunk : {}
      if (messageId && replay?.messageId !== undefined && messageId !== replay.messageId) throw otherStream()
      applyChunkToRun(run, chunk)
    }
  }

  function accept(): void {
    const given = answers!
    const queued = preamble
    answers = undefined
    preamble = []
    takeAnswers(run, given)
    for (const chunk of queued) applyChunk(chunk)
  }

  return {
    sessionId,
    runId,
    run: options,
    serverRunId: undefined,
    getMessageId: () => known().messageId,
    transform({ data, index, isDone }) {
      if (isDone) return []
      known()
      const chunk = parseUIMessageChunk(data, index)
      if (chunk && answers && isPreamble(chunk)) preamble.push(chunk)
      else if (chunk) {
        if (answers) accept()
        applyChunk(chunk)
      }
      const isReplayed = replay !== undefined
      count(data)
      const events = run.take()
      return isReplayed ? [] : events
    },
    end() {
      endStream(known(), how)
      return run.take()
    },
    fail(error) {
      known()
      const isAsking = error instanceof AiSdkError && error.code === 'refused'
      if (!run.isOver && !isAsking) failRun(run, describeError(error, { adapter }))
      return run.take()
    },
    cancel(reason) {
      cancelRun(known(), reason)
      return run.take()
    },
    getCursor() {
      if (replay || answers) return undefined
      const { outcome, messageId, nextPart: part, step, stepStart } = run
      const at = { part, step, stepStart }
      const stated = Object.keys(outcome).length > 0 && { outcome }
      const server = this.serverRunId !== undefined && { serverRunId: this.serverRunId }
      return JSON.stringify({ chunks, base, at, print, messageId, ...server, ...stated } satisfies AiSdkCursor)
    },
    resume(cursor, { isReplay }) {
      restore(isReplay ? cursor.base : undefined)
      base = cursor.base
      this.serverRunId = cursor.serverRunId
      if (!isReplay) {
        ;({ chunks, print } = cursor)
        const { at, messageId = run.messageId, outcome = {} } = cursor
        Object.assign(run, { nextPart: at.part, step: at.step, stepStart: at.stepStart, messageId, outcome })
        if (run.message && !isOfStep(run)) run.message = undefined
      } else if (cursor.chunks > 0) {
        replay = { until: cursor.chunks, print: cursor.print, messageId: cursor.messageId }
        // What was applied already is made once more, for what follows from it, and given to nobody.
        run.events = createAgentEventFactory({ ...options, createEventId: () => 'replayed' })
      }
    },
    continueWith(given) {
      park(known())
      answers = given
      base = { part: run.nextPart, step: run.step }
      chunks = 0
      print = 0
      run.outcome = {}
    },
    getAcceptance() {
      const failure = preamble.find((chunk) => chunk.type === 'error')
      return { isAccepted: answers === undefined, error: failure?.errorText }
    },
    isOver: () => run.isOver,
    hasOutcome: () => run.isOver || Object.keys(run.outcome).length > 0 || preamble.some(isEnd),
    isReplaying: () => replay !== undefined,
    hasUndecidedCalls: () => findClientTools(known()).length > 0,
    getQuestions() {
      known()
      const asked = [...run.questions.values()].filter(({ isAutomatic }) => !isAutomatic)
      return findClientTools(run).length > 0 ? [] : asked.map(({ id }) => id)
    },
  }
}

/** Whether the message that takes texts is the present step's: a step may have begun and said nothing yet. */
function isOfStep({ message, open, step }: AiSdkRun): boolean {
  return message !== undefined && open.get(`message:${message.id}`)?.meta.step === step
}

function placeFile(
  { url, mediaType }: UIMessageChunkOf<'file' | 'reasoning-file'>,
  { maxInlineFileSize, putFile }: AiSdkContextOptions,
  isReplay: boolean,
): { url: string; isStored: boolean } {
  const isStored = url.startsWith('data:') && url.length > maxInlineFileSize
  return { url: isStored && !isReplay ? putFile(url, { mediaType }) : url, isStored }
}

function otherStream(): AgentTransportError {
  const message = `${adapter}: The server replayed another stream than the one that was lost; send the message again.`
  return new AgentTransportError('resume_unavailable', message, { adapter })
}
