import { assertNever } from '../../assertNever.ts'
import type { AgentEvent } from '../../protocol/agentEvent.ts'
import type { AgentEventFactory } from '../../protocol/createAgentEventFactory.ts'
import type { ApprovalDecision } from '../../protocol/payloads/approvalPayloads.ts'
import { describeError } from '../../provider/describeError.ts'
import type { AgentState } from '../../state/agentState.ts'
import { getOwn } from '../../state/ownRecord.ts'
import { createFrameError } from '../../transport/createFrameError.ts'
import { agUiAdapter as adapter } from './agUiAdapter.ts'
import type { AgUiChunk } from './agUiChunk.ts'
import { readAgUiMeta, withAgUiMeta, type AgUiMeta } from './agUiMeta.ts'
import type { AgUiMappingOptions } from './agUiOptions.ts'
import type { AgUiInput } from './agUiRequest.ts'
import type { AgUiEnding, AgUiScope } from './agUiScope.ts'
import { createChunkLanes } from './createChunkLanes.ts'
import { createOpaqueValues } from './createOpaqueValues.ts'
import { addUsage, readUsage } from './readUsage.ts'
import { createActivityMapper } from './mapActivities.ts'
import { createApprovalMapper } from './mapApprovals.ts'
import { createMessageMapper } from './mapMessages.ts'
import { createRecordMapper } from './mapRecord.ts'
import { createReasoningMapper } from './mapReasoning.ts'
import { takeSnapshot } from './mapSnapshot.ts'
import { createStateMapper } from './mapState.ts'
import { createTaskMapper } from './mapTasks.ts'
import { createToolMapper, type WireResult } from './mapTools.ts'
import { isAgUiEvent, parseAgUiEvent, type AgUiEvent, type AgUiEventOf } from './parseAgUiEvent.ts'
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
  /** Says that the run is being stopped, or no longer: a stream that is broken off meanwhile was. */
  setStopping(stopping: { reason?: string | undefined } | undefined): void
  /** What stands before the runtime's first word. */
  begin(input: AgUiInput, messageId: string): readonly AgentEvent[]
  /** Makes a chunk's events; throws AgentTransportError `invalid_frame` where it is malformed. */
  map(chunk: AgUiChunk): readonly AgentEvent[]
  /** States that the runtime took the answers with which it went on. */
  answer(answers: readonly GivenAnswer[]): readonly AgentEvent[]
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
}): AgUiMapper {
  const { runId, events, options, state } = run
  let made: AgentEvent[] = []
  let index = -1
  const known = state && getOwn(state.runs, runId)
  let hasEnded = known !== undefined && known.status !== 'running'
  /** Whether an AG-UI run is under way, and not just what it left to be answered. */
  let isWireRunning = true
  let legacy: unknown[] = []
  let thoughts = 0
  let stopping: { reason?: string | undefined } | undefined
  let usage = usageOf(state, runId)

  const scope: AgUiScope = {
    runId,
    options,
    wireRunId: run.wireRunId,
    replaysAll: run.replaysAll,
    getAgentState: () => state,
    emit(type, payload, { parentId, meta = {}, isHidden = false } = {}) {
      made.push(events.create(type, payload, { parentId, ...withAgUiMeta(meta, isHidden) }) as AgentEvent)
    },
    fail(what) {
      throw createFrameError({ adapter, chunk: index }, what)
    },
  }
  const { emit } = scope
  const messages = createMessageMapper(scope)
  const reasoning = createReasoningMapper(scope)
  const tools = createToolMapper(scope, {
    offered: run.offered,
    parentOf: (wireId) => messages.texts.find(wireId)?.id,
  })
  const shared = createStateMapper(scope, run.baseline)
  const record = createRecordMapper(scope)
  const activities = createActivityMapper(scope)
  const tasks = createTaskMapper(scope)
  const approvals = createApprovalMapper(scope, () => usage)
  const opaque = createOpaqueValues({ messages, reasoning, tools, record })
  const lanes = createChunkLanes({
    fail: scope.fail,
    begin(kind, id, chunk) {
      const { subagentRunId } = chunk
      if (kind === 'reasoning') reasoning.start(id, subagentRunId)
      else if (chunk.type === 'TOOL_CALL_CHUNK') startTool(id, chunk)
      else if (chunk.type === 'TEXT_MESSAGE_CHUNK') startMessage(id, chunk)
    },
    append: (kind, id, delta) => ({ text: messages, tool: tools, reasoning })[kind].append(id, delta),
    end: (kind, id) => ({ text: messages, tool: tools, reasoning })[kind].end(id),
  })
  let question = messages.texts.all().find(({ id }) => isQuestion(state, runId, id))

  function startMessage(wireId: string, message: { role?: string; name?: string; subagentRunId?: string }) {
    const { role, name, subagentRunId } = message
    messages.start({ wireId, role, meta: { name, subagentRunId, ...opaque.take(wireId) } })
  }

  function startTool(
    id: string,
    call: { toolCallName?: string; parentMessageId?: string; subagentRunId?: string },
  ) {
    const { toolCallName, parentMessageId, subagentRunId } = call
    const name = toolCallName ?? tools.find(id)?.name
    if (name === undefined) scope.fail('begins a tool call without a name')
    tools.start({ id, name, meta: { parentMessageId, subagentRunId, ...opaque.take(id) } })
  }

  function takeResult(result: WireResult) {
    const waiting = approvals.waitingFor(result.toolCallId)
    // A result is the answer's: it was given elsewhere, such as in another tab.
    if (waiting !== undefined) approvals.resolve(waiting, 'approved')
    tools.result(result)
  }

  function end(ending: AgUiEnding) {
    lanes.close()
    opaque.settle()
    tools.settle()
    messages.close(ending)
    reasoning.close(ending)
    tools.close(ending)
    approvals.close()
    tasks.close(ending)
    activities.close()
    shared.close()
    record.close()
    hasEnded = true
  }

  function failRun(error: { message: string; code?: string | undefined; retryable?: boolean }) {
    end({ status: 'failed', error })
    emit('run.failed', { error })
  }

  function cancelRun(reason?: string) {
    end({ status: 'cancelled', reason })
    emit('run.cancelled', { ...(reason !== undefined && { reason }) })
  }

  function start({ runId: wireRunId, input }: AgUiEventOf<'RUN_STARTED'>) {
    isWireRunning = true
    thoughts = 0
    legacy = []
    if (wireRunId !== undefined) scope.wireRunId = wireRunId
    if (Array.isArray(input?.resume)) approvals.takeAnswers(input.resume)
  }

  function finish({ outcome, result, usage: stated }: AgUiEventOf<'RUN_FINISHED'>) {
    if (!isWireRunning) return
    isWireRunning = false
    lanes.close()
    usage = addUsage(usage, readUsage(stated))
    if (outcome?.type === 'cancelled') return cancelRun()
    const asked = legacy
    legacy = []
    if (outcome?.type === 'interrupt') {
      const { interrupts = [] } = outcome
      if (interrupts.length === 0 && asked.length === 0) scope.fail('is an interrupt that asks nothing')
      for (const interrupt of interrupts) {
        const { toolCallId } = interrupt
        approvals.interrupt(interrupt, toolCallId === undefined ? undefined : tools.find(toolCallId))
      }
      // What was asked in the old way as well is the same question.
      if (interrupts.length === 0) asked.forEach(approvals.askLegacy)
    } else {
      asked.forEach(approvals.askLegacy)
      const pending = outcome?.pendingToolCallIds
      tools.settle()
      for (const tool of tools.unanswered()) {
        const isOurs = pending ? pending.includes(tool.id) : tools.ownerOf(tool.name) !== 'server'
        if (isOurs && approvals.waitingFor(tool.id) === undefined) approvals.askResult(tool)
      }
    }
    opaque.settle()
    tools.settle()
    if (approvals.hasWaiting()) return park()
    end({ status: 'completed' })
    const isUnknown = outcome !== undefined && outcome.type !== 'success' && outcome.type !== 'interrupt'
    const payload = { ...(result !== undefined && { output: result }), ...(usage && { usage }) }
    const meta = isUnknown ? { meta: { agUi: { unknownOutcome: true } } } : {}
    made.push(events.create('run.completed', payload, meta) as AgentEvent)
  }

  /** What streams does not go on where the AG-UI run is over; what may be answered stays open. */
  function park() {
    messages.close({ status: 'completed' })
    reasoning.close({ status: 'completed' })
  }

  function failWire({ message, code, usage: stated }: AgUiEventOf<'RUN_ERROR'>) {
    usage = addUsage(usage, readUsage(stated))
    // The failure of a run that nobody asked for does not answer what another one asked.
    if (isWireRunning && approvals.hasWaiting()) return void (isWireRunning = false)
    if (stopping && /abort|cancel/i.test(code ?? '')) return cancelRun(stopping.reason)
    failRun({ message: message || 'The agent failed without saying why.', ...(code !== undefined && { code }) })
  }

  function takeCustom(event: AgUiEventOf<'CUSTOM' | 'RAW'>) {
    if (event.type === 'CUSTOM' && event.name === 'on_interrupt') return void legacy.push(event.value ?? null)
    const { type } = event
    const named =
      event.type === 'CUSTOM'
        ? { type, name: String(event.name), value: event.value }
        : { type, name: String(event.source ?? ''), value: event.event }
    made.push(...(options.mapCustom?.(named, (...values) => events.create(...values)) ?? []))
  }

  const thoughtId = () => `${scope.wireRunId}:thinking:${thoughts}`

  function handle(event: AgUiEvent) {
    if (event.type !== 'REASONING_ENCRYPTED_VALUE') reasoning.settle()
    if (lanes.take(event)) return
    switch (event.type) {
      case 'RUN_STARTED':
        return start(event)
      case 'RUN_FINISHED':
        return finish(event)
      case 'RUN_ERROR':
        return failWire(event)
      case 'STEP_STARTED':
        return tasks.startStep(event.stepName, event.subagentRunId)
      case 'STEP_FINISHED':
        return tasks.finishStep(event.stepName, event.subagentRunId)
      case 'TEXT_MESSAGE_START':
        return startMessage(event.messageId, event)
      case 'TEXT_MESSAGE_CONTENT':
        return messages.append(event.messageId, event.delta)
      case 'TEXT_MESSAGE_END':
        return messages.end(event.messageId)
      case 'TOOL_CALL_START':
        return startTool(event.toolCallId, event)
      case 'TOOL_CALL_ARGS':
        return tools.append(event.toolCallId, event.delta)
      case 'TOOL_CALL_END':
        return tools.end(event.toolCallId)
      case 'TOOL_CALL_RESULT':
        return takeResult(event)
      case 'STATE_SNAPSHOT':
        return shared.replace(event.snapshot)
      case 'STATE_DELTA':
        return shared.patch(event.delta)
      case 'MESSAGES_SNAPSHOT':
        return takeSnapshot(scope, event.messages, {
          messages,
          reasoning,
          tools,
          activities,
          takeResult,
          encrypt: opaque.note,
          question,
          rename(entity, wireId) {
            messages.texts.alias(entity, wireId)
            if (!messages.note(entity, { messageId: wireId })) record.note('aliases', entity.wireId, wireId)
          },
        })
      case 'ACTIVITY_SNAPSHOT': {
        const { messageId, activityType, content, replace = true, subagentRunId } = event
        return activities.replace({ messageId, activityType, content, replace, subagentRunId })
      }
      case 'ACTIVITY_DELTA':
        return activities.patch(event.messageId, event.patch)
      case 'REASONING_START':
        return opaque.openSpan(event.messageId)
      case 'REASONING_MESSAGE_START':
        return reasoning.start(event.messageId, event.subagentRunId)
      case 'REASONING_MESSAGE_CONTENT':
        return reasoning.append(event.messageId, event.delta)
      case 'REASONING_MESSAGE_END':
        return reasoning.end(event.messageId)
      case 'REASONING_ENCRYPTED_VALUE':
        return opaque.note(event.entityId, event.encryptedValue)
      case 'SUBAGENT_STARTED': {
        const { subagentRunId: id, name, description, parentSubagentRunId, parentToolCallId } = event
        return tasks.startSubagent({ id, name, description, parentSubagentRunId, parentToolCallId })
      }
      case 'SUBAGENT_FINISHED':
        return tasks.finishSubagent(event.subagentRunId, {
          result: event.result,
          isSuspended: event.outcome?.type === 'suspended',
        })
      case 'SUBAGENT_ERROR':
        return tasks.failSubagent(event.subagentRunId, event)
      case 'THINKING_TEXT_MESSAGE_START':
        thoughts += 1
        return reasoning.start(thoughtId(), event.subagentRunId)
      case 'THINKING_TEXT_MESSAGE_CONTENT':
        return reasoning.append(thoughtId(), event.delta)
      case 'THINKING_TEXT_MESSAGE_END':
        return reasoning.end(thoughtId())
      case 'CUSTOM':
      case 'RAW':
        return takeCustom(event)
      case 'REASONING_END':
      case 'THINKING_START':
      case 'THINKING_END':
      case 'TEXT_MESSAGE_CHUNK':
      case 'TOOL_CALL_CHUNK':
      case 'REASONING_MESSAGE_CHUNK':
        return undefined
      default:
        return assertNever(event)
    }
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
    setStopping: (next) => void (stopping = next),

    begin: (input, messageId) =>
      collect(() => {
        // The message stands in state by itself, however large it is.
        const { message, ...kept } = input
        emit('run.started', { input: kept })
        if (message === undefined) return
        emit('message.started', { messageId, role: 'user', content: message })
        emit('message.completed', { messageId })
        messages.texts.seed({ id: messageId, wireId: messageId, text: toText(message), isOpen: false, meta: {} })
        question = messages.texts.find(messageId)
      }),

    map: (chunk) =>
      collect(() => {
        // A terminal fact stands, whatever comes after it.
        if (hasEnded) return
        index = chunk.index
        const parsed = parseAgUiEvent(chunk.data)
        if (!parsed) return
        if (isAgUiEvent(parsed)) handle(parsed)
        else scope.fail(parsed.known ? `is no ${parsed.known} that can be understood` : 'is no event')
      }),

    answer: (answers) =>
      collect(() => {
        for (const { approvalId, decision, data } of answers) approvals.resolve(approvalId, decision, data)
        for (const { decision, data, toolCallId, resultMessageId } of answers) {
          if (toolCallId === undefined) continue
          const isGranted = decision === 'approved' || decision === 'modified'
          if (resultMessageId !== undefined) tools.answer(toolCallId, { isGranted, data, meta: { resultMessageId } })
          else if (isGranted) tools.run(toolCallId)
          else tools.decline(toolCallId)
        }
      }),

    fail: (error) =>
      collect(() => {
        if (hasEnded) return
        if (stopping) cancelRun(stopping.reason)
        else failRun(describeError(error, { adapter }))
      }),
    cancel: (reason) => collect(() => void (hasEnded || cancelRun(reason))),
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
