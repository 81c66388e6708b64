import type { AgUiProgress, SavedProgress } from './agUiProgress.ts'
import type { AgUiEnding, AgUiScope } from './agUiScope.ts'
import { createChunkLanes, type ChunkLanes } from './createChunkLanes.ts'
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
  readonly name?: string
  readonly subagentRunId?: string
}

/** How a call begins on the wire. */
interface ToolStart {
  /** Whether it is no beginning where the call has begun. */
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
  /** Gives what of all this no entity shows, for the next connection. */
  save(): SavedProgress
  /** Ends all that is open, as the run ends. */
  close(ending: AgUiEnding): void
}

export function createAgUiParts(
  scope: AgUiScope,
  run: { offered: ReadonlySet<string>; baseline: unknown; progress: AgUiProgress },
): AgUiParts {
  const { progress } = run
  const messages = createMessageMapper(scope, progress)
  const reasoning = createReasoningMapper(scope, progress)
  const tools = createToolMapper(scope, {
    offered: run.offered,
    parentOf: (wireId) => messages.texts.find(wireId)?.id,
    progress,
  })
  const shared = createStateMapper(scope, run.baseline)
  const record = createRecordMapper(scope)
  const activities = createActivityMapper(scope)
  const tasks = createTaskMapper(scope)
  const approvals = createApprovalMapper(scope, tools)
  const opaque = createOpaqueValues({ messages, reasoning, tools, record }, progress)
  const streams = { text: messages, tool: tools, reasoning }
  const lanes = createChunkLanes({
    fail: scope.fail,
    begin(kind, id, chunk) {
      const { subagentRunId } = chunk
      if (kind === 'reasoning') reasoning.start(id, { subagentRunId })
      else if (chunk.type === 'TOOL_CALL_CHUNK') startTool(id, { ...chunk, isChunked: true })
      else if (chunk.type === 'TEXT_MESSAGE_CHUNK') startMessage(id, chunk)
    },
    restored: progress.lanes,
    append: (kind, id, delta) => streams[kind].append(id, delta),
    end: (kind, id) => streams[kind].end(id),
  })

  function startMessage(wireId: string, { role, name, subagentRunId }: MessageStart) {
    messages.start(wireId, { role, meta: { name, subagentRunId, ...opaque.take(wireId) } })
  }

  function startTool(id: string, { toolCallName, parentMessageId, subagentRunId, isChunked }: ToolStart) {
    const name = toolCallName ?? tools.find(id)?.name
    if (name === undefined) scope.fail('begins a tool call without a name')
    const meta = { parentMessageId, subagentRunId, ...opaque.take(id) }
    tools.start({ id, name, meta, isGoingOn: isChunked })
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
    save: () => ({
      messages: messages.texts.save(),
      reasoning: reasoning.texts.save(),
      ending: JSON.stringify(reasoning.getEnding()),
      lanes: lanes.save(),
      ...tools.save(),
      ...opaque.save(),
    }),
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
