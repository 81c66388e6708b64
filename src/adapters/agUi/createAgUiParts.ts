import type { AgUiEnding, AgUiScope } from './agUiScope.ts'
import { createChunkLanes, type ChunkLanes } from './createChunkLanes.ts'
import { findOpenLanes } from './findOpenLanes.ts'
import { createOpaqueValues, type OpaqueValues } from './createOpaqueValues.ts'
import { createActivityMapper, type ActivityMapper } from './mapActivities.ts'
import { createApprovalMapper, type ApprovalMapper } from './mapApprovals.ts'
import { createMessageMapper, type MessageMapper } from './mapMessages.ts'
import { createReasoningMapper, type ReasoningMapper } from './mapReasoning.ts'
import { createRecordMapper, type RecordMapper } from './mapRecord.ts'
import { createStateMapper, type StateMapper } from './mapState.ts'
import { createTaskMapper, type TaskMapper } from './mapTasks.ts'
import { createToolMapper, type ToolMapper, type WireResult } from './mapTools.ts'

/** How a message begins on the wire. */
interface MessageStart {
  readonly role?: string
  readonly isChunked?: boolean
  readonly name?: string
  readonly subagentRunId?: string
}

/** How a call begins on the wire. */
interface ToolStart {
  readonly isChunked?: boolean
  readonly toolCallName?: string
  readonly parentMessageId?: string
  readonly subagentRunId?: string
}

/** All that a run consists of, each kind in its own hands, and what concerns several of them. */
export interface AgUiParts {
  readonly messages: MessageMapper
  readonly reasoning: ReasoningMapper
  readonly tools: ToolMapper
  readonly shared: StateMapper
  readonly record: RecordMapper
  readonly activities: ActivityMapper
  readonly tasks: TaskMapper
  readonly approvals: ApprovalMapper
  readonly opaque: OpaqueValues
  readonly lanes: ChunkLanes
  startMessage(wireId: string, message: MessageStart): void
  startTool(id: string, call: ToolStart): void
  takeResult(result: WireResult): void
  /** States what only waited for more of its kind. */
  settle(): void
  /** Ends all that is open, as the run ends. */
  close(ending: AgUiEnding): void
}

export function createAgUiParts(
  scope: AgUiScope,
  run: { offered: ReadonlySet<string>; baseline: unknown; isResumed: boolean },
): AgUiParts {
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
  const approvals = createApprovalMapper(scope)
  const opaque = createOpaqueValues({ messages, reasoning, tools, record })
  const streams = { text: messages, tool: tools, reasoning }
  const restored = run.isResumed && !scope.replaysAll ? findOpenLanes(scope) : { current: [], over: [] }
  // Its end had come, and only waited for what might follow it.
  for (const { kind, id } of restored.over) if (kind === 'reasoning') reasoning.end(id)
  const lanes = createChunkLanes({
    fail: scope.fail,
    begin(kind, id, chunk) {
      const { subagentRunId } = chunk
      if (kind === 'reasoning') reasoning.start(id, { subagentRunId, isChunked: true })
      else if (chunk.type === 'TOOL_CALL_CHUNK') startTool(id, { ...chunk, isChunked: true })
      else if (chunk.type === 'TEXT_MESSAGE_CHUNK') startMessage(id, { ...chunk, isChunked: true })
    },
    restored: restored.current,
    append: (kind, id, delta) => streams[kind].append(id, delta),
    end: (kind, id) => streams[kind].end(id),
  })

  function startMessage(wireId: string, { role, name, subagentRunId, isChunked }: MessageStart) {
    messages.start({ wireId, role, meta: { name, subagentRunId, isChunked, ...opaque.take(wireId) } })
  }

  function startTool(id: string, { toolCallName, parentMessageId, subagentRunId, isChunked }: ToolStart) {
    const name = toolCallName ?? tools.find(id)?.name
    if (name === undefined) scope.fail('begins a tool call without a name')
    tools.start({ id, name, meta: { parentMessageId, subagentRunId, isChunked, ...opaque.take(id) } })
  }

  function settle() {
    opaque.settle()
    tools.settle()
  }

  return {
    ...{ messages, reasoning, tools, shared, record, activities, tasks, approvals, opaque, lanes },
    startMessage,
    startTool,
    settle,
    takeResult(result) {
      const waiting = approvals.waitingFor(result.toolCallId)
      // A result is the answer's: it was given elsewhere, such as in another tab.
      if (waiting !== undefined) approvals.resolve(waiting, 'approved')
      tools.result(result)
    },
    close(ending) {
      // What chunks have in hand ends as all else does that is open.
      if (ending.status === 'completed') lanes.close()
      settle()
      messages.close(ending)
      reasoning.close(ending)
      tools.close(ending)
      approvals.close()
      tasks.close(ending)
      activities.close()
      shared.close()
      record.close()
    },
  }
}
