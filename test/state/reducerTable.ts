import type { AgentEntityKind, AgentEventPayloadMap, AgentEventType } from 'redux-agent'

/** What each event type does to the state of a run that is running. */
export interface ReducerRow<Type extends AgentEventType = AgentEventType> {
  type: Type
  payload: AgentEventPayloadMap[Type]
  /** The entity that the event makes or changes, and what it is afterwards. */
  entity?: { kind: AgentEntityKind; id: string; expected: Record<string, unknown> }
  /** What the run is afterwards. */
  run?: Record<string, unknown>
  /** The event that makes the entity first; none where this event does. */
  needs?: AgentEventType
  /** Whether nothing changes the entity, or the run, afterwards. */
  ends?: boolean
}

const error = { message: 'It broke.', code: 'broken', retryable: true, details: { at: 3 } }

function row<Type extends AgentEventType>(type: Type, rest: Omit<ReducerRow<Type>, 'type'>): ReducerRow {
  return { type, ...rest } as unknown as ReducerRow
}

type EntityRow<Type extends AgentEventType> = Pick<ReducerRow<Type>, 'payload' | 'needs' | 'ends'> & {
  expected: Record<string, unknown>
}

function entityRow<Type extends AgentEventType>(
  kind: AgentEntityKind,
  type: Type,
  options: EntityRow<Type>,
): ReducerRow {
  const { expected, ...rest } = options
  return row(type, { ...rest, entity: { kind, id: 'e1', expected } })
}

/** One row for each of the 31 types that need a run, and `run.started` itself. */
export const reducerTable: readonly ReducerRow[] = [
  row('run.completed', {
    payload: { output: { a: 1 }, usage: { tokens: 3 } },
    run: { status: 'completed', output: { a: 1 }, usage: { tokens: 3 } },
    ends: true,
  }),
  row('run.failed', { payload: { error }, run: { status: 'failed', error }, ends: true }),
  row('run.cancelled', { payload: { reason: 'enough' }, run: { status: 'cancelled', reason: 'enough' }, ends: true }),

  entityRow('message', 'message.started', {
    payload: { messageId: 'e1', role: 'assistant', content: 'Hi' },
    expected: { role: 'assistant', content: 'Hi', status: 'streaming' },
  }),
  entityRow('message', 'message.delta', {
    needs: 'message.started',
    payload: { messageId: 'e1', delta: ' there' },
    expected: { content: 'Hi there', status: 'streaming' },
  }),
  entityRow('message', 'message.completed', {
    needs: 'message.started',
    payload: { messageId: 'e1', content: 'Done' },
    expected: { content: 'Done', status: 'completed' },
    ends: true,
  }),
  entityRow('message', 'message.failed', {
    needs: 'message.started',
    payload: { messageId: 'e1', error },
    expected: { content: 'Hi', status: 'failed', error },
    ends: true,
  }),
  entityRow('message', 'message.cancelled', {
    needs: 'message.started',
    payload: { messageId: 'e1', reason: 'enough' },
    expected: { content: 'Hi', status: 'cancelled', reason: 'enough' },
    ends: true,
  }),

  entityRow('reasoning', 'reasoning.started', {
    payload: { reasoningId: 'e1', redacted: true },
    expected: { content: '', redacted: true, status: 'streaming' },
  }),
  entityRow('reasoning', 'reasoning.delta', {
    needs: 'reasoning.started',
    payload: { reasoningId: 'e1', delta: 'hm' },
    expected: { content: 'hm', status: 'streaming' },
  }),
  entityRow('reasoning', 'reasoning.completed', {
    needs: 'reasoning.started',
    payload: { reasoningId: 'e1', content: 'all', summary: 'short' },
    expected: { content: 'all', summary: 'short', status: 'completed' },
    ends: true,
  }),
  entityRow('reasoning', 'reasoning.failed', {
    needs: 'reasoning.started',
    payload: { reasoningId: 'e1', error },
    expected: { status: 'failed', error },
    ends: true,
  }),
  entityRow('reasoning', 'reasoning.cancelled', {
    needs: 'reasoning.started',
    payload: { reasoningId: 'e1', reason: 'enough' },
    expected: { status: 'cancelled', reason: 'enough' },
    ends: true,
  }),

  entityRow('tool', 'tool.requested', {
    payload: { toolCallId: 'e1', name: 'search', arguments: '{"q":', index: 2 },
    expected: { name: 'search', arguments: '{"q":', index: 2, attempt: 1, status: 'pending' },
  }),
  entityRow('tool', 'tool.arguments_delta', {
    needs: 'tool.requested',
    payload: { toolCallId: 'e1', delta: '1}' },
    expected: { arguments: '{"q":1}', status: 'pending' },
  }),
  entityRow('tool', 'tool.running', {
    needs: 'tool.requested',
    payload: { toolCallId: 'e1' },
    expected: { status: 'running' },
  }),
  entityRow('tool', 'tool.completed', {
    needs: 'tool.requested',
    payload: { toolCallId: 'e1', result: null },
    expected: { result: null, status: 'completed' },
    ends: true,
  }),
  entityRow('tool', 'tool.failed', {
    needs: 'tool.requested',
    payload: { toolCallId: 'e1', error },
    expected: { status: 'failed', error },
    ends: true,
  }),
  entityRow('tool', 'tool.cancelled', {
    needs: 'tool.requested',
    payload: { toolCallId: 'e1', reason: 'denied' },
    expected: { status: 'cancelled', reason: 'denied' },
    ends: true,
  }),

  entityRow('approval', 'approval.requested', {
    payload: {
      approvalId: 'e1',
      toolCallId: 't1',
      description: 'May I?',
      risk: 'high',
      data: { path: 'a' },
      editable: false,
      expiresAt: 9000,
      version: 3,
    },
    expected: {
      toolCallId: 't1',
      description: 'May I?',
      risk: 'high',
      data: { path: 'a' },
      editable: false,
      expiresAt: 9000,
      version: 3,
      status: 'waiting',
    },
  }),
  entityRow('approval', 'approval.resolved', {
    needs: 'approval.requested',
    payload: { approvalId: 'e1', decision: 'modified', data: { path: 'b' } },
    expected: { decision: 'modified', data: { path: 'b' }, status: 'completed' },
    ends: true,
  }),

  entityRow('task', 'task.created', {
    payload: { taskId: 'e1', title: 'Look', description: 'closely' },
    expected: { title: 'Look', description: 'closely', status: 'pending' },
  }),
  entityRow('task', 'task.updated', {
    needs: 'task.created',
    payload: { taskId: 'e1', progress: 0 },
    expected: { title: 'Look', description: 'closely', progress: 0, status: 'running' },
  }),
  entityRow('task', 'task.completed', {
    needs: 'task.created',
    payload: { taskId: 'e1', result: false },
    expected: { result: false, status: 'completed' },
    ends: true,
  }),
  entityRow('task', 'task.failed', {
    needs: 'task.created',
    payload: { taskId: 'e1', error },
    expected: { status: 'failed', error },
    ends: true,
  }),
  entityRow('task', 'task.cancelled', {
    needs: 'task.created',
    payload: { taskId: 'e1', reason: 'enough' },
    expected: { status: 'cancelled', reason: 'enough' },
    ends: true,
  }),

  entityRow('artifact', 'artifact.created', {
    payload: { artifactId: 'e1', name: 'plan.md', mediaType: 'text/markdown', content: '#' },
    expected: { name: 'plan.md', mediaType: 'text/markdown', content: '#', status: 'streaming' },
  }),
  entityRow('artifact', 'artifact.updated', {
    needs: 'artifact.created',
    payload: { artifactId: 'e1', content: null, version: 'v2' },
    expected: { content: null, version: 'v2', status: 'streaming' },
  }),
  entityRow('artifact', 'artifact.completed', {
    needs: 'artifact.created',
    payload: { artifactId: 'e1', content: '# Plan', version: 2 },
    expected: { content: '# Plan', version: 2, status: 'completed' },
    ends: true,
  }),
  entityRow('artifact', 'artifact.failed', {
    needs: 'artifact.created',
    payload: { artifactId: 'e1', error },
    expected: { content: '#', status: 'failed', error },
    ends: true,
  }),
]

/** The payload that a type has in the table. */
export function payloadOf(type: AgentEventType): AgentEventPayloadMap[AgentEventType] {
  if (type === 'run.started' || type === 'session.started') return {}
  return reducerTable.find((entry) => entry.type === type)!.payload
}
