import type { AgentEvent } from '../../protocol/agentEvent.ts'
import type { AgentEventFactory } from '../../protocol/createAgentEventFactory.ts'
import type { AgentError } from '../../protocol/agentError.ts'
import type { AgentState } from '../../state/agentState.ts'
import { toOpenAIError } from '../openAI/openAIError.ts'
import { readOpenAIUsage } from '../openAI/readOpenAIUsage.ts'
import { handedToApp } from '../openAI/toolText.ts'
import { createFrameError } from '../../transport/createFrameError.ts'
import type { AdapterChunk } from '../support/adapterChunk.ts'
import { closeEntity, type EntityEnding, type OpenEntity } from '../support/closeEntity.ts'
import { parseArguments } from '../support/parseArguments.ts'
import { createIdClaims } from './createIdClaims.ts'
import { createItemMapper } from './createItemMapper.ts'
import { createNumberedEvents } from './createNumberedEvents.ts'
import { openAIResponsesAdapter } from './openAIResponsesAdapter.ts'
import { readName, readRecord, readRecords, type WireFields } from './responseFields.ts'
import { readResponseEvent, type ResponseWireEvent } from './responseEvent.ts'
import type { ApprovalOrigin, ResponseRun } from './responseRun.ts'
import { createResponseState, type AwaitedCall, type ResponseState } from './responseState.ts'

/** Makes events of one response's stream. */
export interface ResponseMapper {
  push(chunk: AdapterChunk): AgentEvent[]
  /** Goes on where a cursor says. */
  restore(state: ResponseState): void
  /** Where the stream stands, as a cursor; nothing where it cannot be taken up again there. */
  getCursor(): string | undefined
}

/** Begins a response of a run; in the background it is a task of its own, as it may wait for its turn. */
export function createResponseMapper(options: {
  events: AgentEventFactory
  run: ResponseRun
  isBackground: boolean
  isStateless: boolean
  runId: string
  getAgentState?: (() => AgentState) | undefined
  /** Calls that a person has just approved, where it goes on after that. */
  awaited?: readonly AwaitedCall[]
}): ResponseMapper {
  const { run, isBackground, isStateless } = options
  const { factory: events, moveTo } = createNumberedEvents(options.events)
  let state: ResponseState | undefined
  let pushed: AgentEvent[] = []
  let isOver = false
  /** Whether a part of the stream may never come: it was taken up again, or its numbers do not follow each other. */
  let mayLack = false
  let index = 0

  const getState = () => (state ??= createResponseState(options.events.getSequence() + 1, options.awaited))
  const place = () => ({ adapter: openAIResponsesAdapter, chunk: index })
  const push = (event: AgentEvent) => void pushed.push(event)
  const fail = (what: string): never => {
    throw createFrameError(place(), what)
  }
  const claims = createIdClaims({ ...options, getState })
  const items = createItemMapper({ events, getState, push, ...claims, isStateless, mayLack: () => mayLack, fail })

  function getOpen(): OpenEntity[] {
    const { handed, awaited, approvals, hasTask, responseId } = getState()
    const waiting = [...run.approvals.keys()]
    const calls = [...[...handed, ...approvals, ...awaited].map(({ id }) => id), ...waiting]
    return [
      ...items.getOpen(),
      ...waiting.map((id): OpenEntity => ({ kind: 'approval', id })),
      ...calls.map((id): OpenEntity => ({ kind: 'tool', id })),
      ...(hasTask ? [{ kind: 'task' as const, id: responseId! }] : []),
    ]
  }
  run.getOpen = getOpen

  /**
   * Whether a chunk is new; services that number nothing, or all alike, are read as they come. An end is, whatever its
   * number: after one that was there nothing comes, and a stream that ends without one would leave the run hanging.
   */
  function take({ kind, number }: ResponseWireEvent): boolean {
    const known = getState()
    const isEnd = kind === 'settled' || kind === 'error'
    if (!isEnd && number !== undefined && number <= known.number && known.number > 0) {
      mayLack = true
      return false
    }
    if (number !== undefined && known.number >= 0 && number > known.number + 1) mayLack = true
    known.position = Math.max(known.position + 1, number ?? 0)
    known.number = Math.max(known.number, number ?? -1)
    moveTo(known)
    return true
  }

  function meet(response: WireFields): void {
    const known = getState()
    known.responseId ??= readName(response.id)
    run.responseId = known.responseId
  }

  /** A response in the background is there before anything of it is. */
  function tellTask(status: 'queued' | 'in_progress'): void {
    const known = getState()
    const taskId = known.responseId
    if (!isBackground || taskId === undefined) return
    if (!known.hasTask) {
      const meta = { openai: { responseId: taskId } }
      push(events.create('task.created', { taskId, title: 'Background response' }, { meta }))
    }
    known.hasTask = true
    if (status === 'in_progress') push(events.create('task.updated', { taskId }))
  }

  function closeAll(entities: readonly OpenEntity[], ending: EntityEnding): void {
    for (const entity of entities) push(closeEntity(events, entity, ending))
  }

  /** Ends the calls that nobody ran here, then all else. */
  function closeCompleted(): void {
    const { handed } = getState()
    getState().handed = []
    for (const { id } of handed) push(events.create('tool.cancelled', { toolCallId: id, reason: handedToApp }))
    for (const entity of getOpen()) {
      const isUnfinished = entity.kind === 'tool' || entity.kind === 'artifact'
      const reason = 'It did not come to its end.'
      push(closeEntity(events, entity, isUnfinished ? { status: 'cancelled', reason } : { status: 'completed' }))
    }
    getState().hasTask = false
  }

  function end(event: AgentEvent): void {
    push(event)
    isOver = true
    run.isSilent = true
  }

  function failRun(error: AgentError): void {
    closeAll(getOpen(), { status: 'failed', error })
    end(events.create('run.failed', { error }))
  }

  /** Asks what the response asks, and leaves the run waiting for the answers. */
  function ask(responseId: string): void {
    const { approvals, handed } = getState()
    getState().approvals = []
    closeCompleted()
    for (const { id, request: wireId = id, name, arguments: text, server } of approvals) {
      const item = { type: 'mcp_approval_request', id: wireId, name, arguments: text, server_label: server }
      const origin: ApprovalOrigin = { responseId, item, handed }
      run.approvals.set(id, origin)
      const description = server === '' ? name : `${server}: ${name}`
      const request = { approvalId: id, toolCallId: id, description, data: parseArguments(text), editable: false }
      push(events.create('approval.requested', request, { meta: { openai: origin } }))
    }
    isOver = true
  }

  function complete(response: WireFields, status: 'completed' | 'incomplete'): void {
    const { approvals, handed, responseId, isRefused } = getState()
    if (status === 'completed' && approvals.length > 0 && responseId !== undefined) return ask(responseId)
    const stopped = readName(readRecord(response.incomplete_details).reason) ?? 'incomplete'
    const finishReason = status === 'incomplete' ? stopped : handed.length > 0 ? 'tool_calls' : 'stop'
    closeCompleted()
    const usage = readOpenAIUsage(response.usage)
    end(
      events.create('run.completed', {
        output: {
          finishReason,
          ...(responseId !== undefined && { responseId }),
          ...(isRefused && { refused: true }),
        },
        ...(usage && { usage }),
      }),
    )
  }

  function settle(response: WireFields, status: 'completed' | 'incomplete' | 'failed' | 'cancelled'): void {
    meet(response)
    items.finishAll(readRecords(response.output))
    switch (status) {
      case 'failed':
        return failRun(toOpenAIError(response.error, place()))
      case 'cancelled':
        closeAll(getOpen(), { status: 'cancelled' })
        return end(events.create('run.cancelled', {}))
      default:
        return complete(response, status)
    }
  }

  function map(event: ResponseWireEvent): void {
    const { kind, fields } = event
    switch (kind) {
      case 'created':
        meet(event.response)
        if (event.status !== undefined) tellTask(event.status)
        return
      case 'settled':
        return settle(event.response, event.status)
      case 'error':
        return failRun(toOpenAIError(event.error, place()))
      case 'item_begun':
        return items.begin(fields)
      case 'item_done':
        return items.finish(fields)
      case 'text':
        if (event.isRefusal) getState().isRefused = true
        return items.say(fields, event.delta)
      case 'text_done':
        return items.said(fields, event.text)
      case 'reasoning':
        return items.reason(fields, event.stretch, event.delta)
      case 'reasoning_done':
        return items.reasoned(fields, event.stretch, event.text)
      case 'arguments':
        return items.addArguments(fields, event.delta)
      case 'running':
        return items.setRunning(fields)
      case 'image':
        return items.showImage(fields, event.data)
      case 'other':
        return
    }
  }

  return {
    push(chunk) {
      if (isOver || run.isSilent || chunk.isDone) return []
      ;({ index } = chunk)
      const event = readResponseEvent(chunk)
      if (!take(event)) return []
      pushed = []
      map(event)
      run.lastSequence = Math.max(run.lastSequence, options.events.getSequence())
      return pushed
    },
    restore(restored) {
      state = restored
      mayLack = true
      run.responseId = restored.responseId
    },
    getCursor() {
      const known = getState()
      const isNumbered = known.number >= 0 && known.number === known.position
      return isOver || !isNumbered || known.responseId === undefined ? undefined : JSON.stringify(known)
    },
  }
}
