import type { AgentEvent } from '../../protocol/agentEvent.ts'
import type { AgentEventFactory } from '../../protocol/createAgentEventFactory.ts'
import type { ApprovalDecision } from '../../protocol/payloads/approvalPayloads.ts'
import { describeError } from '../../provider/describeError.ts'
import type { AgentState } from '../../state/agentState.ts'
import { AgentTransportError } from '../../transport/agentTransportError.ts'
import { createFrameError } from '../../transport/createFrameError.ts'
import { agUiAdapter as adapter } from './agUiAdapter.ts'
import type { AgUiChunk } from './agUiChunk.ts'
import type { AgUiHandlers } from './agUiHandlers.ts'
import { readAgUiMeta, withAgUiMeta, type AgUiMeta } from './agUiMeta.ts'
import type { AgUiMappingOptions } from './agUiOptions.ts'
import type { AgUiProgress } from './agUiProgress.ts'
import type { AgUiInput } from './agUiRequest.ts'
import type { AgUiScope } from './agUiScope.ts'
import { createAgUiParts } from './createAgUiParts.ts'
import { createEarlierCheck } from './createEarlierCheck.ts'
import { createWireRun } from './createWireRun.ts'
import { handleArtifactEvents } from './handleArtifactEvents.ts'
import { handleCustomEvents } from './handleCustomEvents.ts'
import { handleMessageEvents } from './handleMessageEvents.ts'
import { handleReasoningEvents } from './handleReasoningEvents.ts'
import { handleTaskEvents } from './handleTaskEvents.ts'
import { handleToolEvents } from './handleToolEvents.ts'
import { isAgUiEvent, parseAgUiEvent, type AgUiEvent, type AgUiEventType } from './parseAgUiEvent.ts'
import { toProgressJson } from './toProgressJson.ts'
import { toText } from './toText.ts'

/** The answer to one approval, once the runtime has taken it. */
export interface GivenAnswer {
  readonly approvalId: string
  readonly decision: ApprovalDecision
  readonly data?: unknown
  readonly toolCallId?: string | undefined
  /** For a call of the page's own tool: the message that told its result. */
  readonly resultMessageId?: string | undefined
}

/** Makes a run's events of what one connection brings. */
export interface AgUiMapper {
  /** The AG-UI run that is under way, or was. */
  getWireRunId(): string
  hasEnded(): boolean
  /** What it has in hand between two chunks that no entity shows. */
  saveProgress(): string | undefined
  /** Says that the run is being stopped, or no longer: a stream that is broken off meanwhile was. */
  setStopping(stopping: { reason?: string | undefined } | undefined): void
  /** What stands before the runtime's first word. */
  begin(input: AgUiInput, messageId: string): readonly AgentEvent[]
  /** Makes a chunk's events; throws AgentTransportError `invalid_frame` where it is malformed. */
  map(chunk: AgUiChunk): readonly AgentEvent[]
  /** States that the runtime took the answers with which it went on. */
  answer(answers: readonly GivenAnswer[]): readonly AgentEvent[]
  /** Says what the end of the stream means; throws AgentTransportError `incomplete` where it came too soon. */
  settle(): readonly AgentEvent[]
  fail(error: unknown): readonly AgentEvent[]
  cancel(reason: string | undefined): readonly AgentEvent[]
}

export function createAgUiMapper(run: {
  runId: string
  wireRunId: string
  events: AgentEventFactory
  options: AgUiMappingOptions
  /** Names of the tools that the page offers. */
  offered: ReadonlySet<string>
  /** The shared state that the run began with. */
  baseline: unknown
  /** What is known of the run, where it goes on. */
  state: AgentState | undefined
  replaysAll: boolean
  /** Whether a connection of the run may do so. */
  mayReplayAll: boolean
  /** What an earlier connection had in hand, where this one goes on with its AG-UI run. */
  progress?: AgUiProgress | undefined
}): AgUiMapper {
  const { runId, events, options, state } = run
  const progress = (run.replaysAll ? undefined : run.progress) ?? {}
  const isOfEarlierRun = createEarlierCheck(run)
  const asked = Object.values(state?.approvals ?? {}).filter((approval) => approval.runId === runId).length
  let made: AgentEvent[] = []
  let index = -1
  let stopping: { reason?: string | undefined } | undefined

  const scope: AgUiScope = {
    adapter,
    runId,
    options,
    wireRunId: run.wireRunId,
    usage: usageOf(state, runId),
    replaysAll: run.replaysAll,
    mayReplayAll: run.mayReplayAll,
    isOfEarlierRun,
    getLeg: () => `${scope.wireRunId}:${asked}`,
    getAgentState: () => state,
    push: (event) => void made.push(event),
    emit(type, payload, { parentId, meta = {}, isHidden = false } = {}) {
      made.push(events.create(type, payload, { parentId, ...withAgUiMeta(meta, isHidden) }) as AgentEvent)
    },
    fail(what) {
      throw createFrameError({ adapter, chunk: index }, what)
    },
  }
  const { emit } = scope
  const parts = createAgUiParts(scope, { ...run, progress })
  const { messages, tools, approvals } = parts
  const wireRun = createWireRun(scope, parts, { state, progress, getStopping: () => stopping })
  let question = messages.texts.all().find(({ id }) => isQuestion(state, runId, id))
  const thinking = handleReasoningEvents(scope, parts, progress)
  const nothing = () => undefined
  const handlers: AgUiHandlers<AgUiEventType> = {
    ...wireRun.handlers,
    ...handleMessageEvents(scope, parts, () => question),
    ...handleToolEvents(parts),
    ...thinking.handlers,
    ...handleTaskEvents(parts),
    ...handleArtifactEvents(parts),
    ...handleCustomEvents(scope, wireRun, (...values) => events.create(...values)),
    // The lanes have taken these.
    TEXT_MESSAGE_CHUNK: nothing,
    TOOL_CALL_CHUNK: nothing,
    REASONING_MESSAGE_CHUNK: nothing,
  }

  function handle(event: AgUiEvent) {
    if (event.type !== 'REASONING_ENCRYPTED_VALUE') parts.reasoning.settle()
    if (parts.lanes.take(event)) return
    const take = handlers[event.type] as (event: AgUiEvent) => void
    take(event)
  }

  function read({ data }: AgUiChunk) {
    const parsed = parseAgUiEvent(data)
    if (!parsed) return
    if (isAgUiEvent(parsed)) handle(parsed)
    else scope.fail(parsed.known ? `is no ${parsed.known} that can be understood` : 'is no event')
  }

  function collect(work: () => void): readonly AgentEvent[] {
    // What a chunk made before it proved to be wrong is told with what comes next: the mapper already counts on it.
    work()
    const collected = made
    made = []
    return collected
  }

  return {
    getWireRunId: () => scope.wireRunId,
    hasEnded: wireRun.hasEnded,
    saveProgress: () =>
      toProgressJson({ ...parts.save(), questions: wireRun.saveLegacy(), thoughts: thinking.saveThoughts() }),
    setStopping: (next) => void (stopping = next),

    begin: (input, messageId) =>
      collect(() => {
        // The message stands in state by itself, however large it is.
        const { message, ...kept } = input
        emit('run.started', { input: kept })
        if (message === undefined) return
        emit('message.started', { messageId, role: 'user', content: message })
        emit('message.completed', { messageId })
        messages.texts.seed({ id: messageId, text: toText(message), isOpen: false, meta: {} })
        question = messages.texts.find(messageId)
      }),

    map: (chunk) =>
      collect(() => {
        // A terminal fact stands, whatever comes after it.
        if (wireRun.hasEnded()) return
        ;({ index } = chunk)
        const wasParked = wireRun.isParked()
        try {
          read(chunk)
        } catch (error) {
          // What is wrong after the last word of an AG-UI run takes nothing back of what it asked.
          if (!wasParked || !(error instanceof AgentTransportError)) throw error
        }
      }),

    answer: (answers) =>
      collect(() => {
        for (const { approvalId, decision, data } of answers) approvals.resolve(approvalId, decision, data)
        for (const { decision, data, toolCallId, resultMessageId } of answers) {
          if (toolCallId === undefined) continue
          const isGranted = decision === 'approved' || decision === 'modified'
          if (resultMessageId !== undefined) tools.answer(toolCallId, { isGranted, data, meta: { resultMessageId } })
          else {
            tools.noteDecision(toolCallId, decision)
            if (isGranted) tools.run(toolCallId)
          }
        }
      }),

    settle: () => collect(wireRun.settle),
    fail: (error) =>
      collect(() => {
        if (wireRun.hasEnded()) return
        if (stopping) wireRun.cancel(stopping.reason)
        else wireRun.fail(describeError(error, { adapter }))
      }),
    cancel: (reason) => collect(() => void (wireRun.hasEnded() || wireRun.cancel(reason))),
  }
}

function isQuestion(state: AgentState | undefined, runId: string, messageId: string): boolean {
  return Object.values(state?.messages ?? {}).some(
    ({ id, runId: home, role }) => id === messageId && home === runId && role === 'user',
  )
}

/** What the run has used before: each of its questions keeps what was used up to it. */
function usageOf(state: AgentState | undefined, runId: string): AgUiMeta['usage'] {
  const asked = Object.values(state?.approvals ?? {}).filter((approval) => approval.runId === runId)
  return asked.map((approval) => readAgUiMeta(approval).usage).findLast((known) => known !== undefined)
}
