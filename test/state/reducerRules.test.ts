import {
  agentEventTypes,
  createInitialAgentState,
  getAgentEntityKey,
  reduceAgentState,
  replayAgentEvents,
} from 'redux-agent'
import type { AgentEntityKind, AgentEvent, AgentState } from 'redux-agent'
import { describe, expect, it } from 'vitest'
import { createEvent } from './createScript.ts'
import { payloadOf, reducerTable, type ReducerRow } from './reducerTable.ts'

const recordOf = {
  message: 'messages',
  reasoning: 'reasoning',
  tool: 'toolCalls',
  approval: 'approvals',
  task: 'tasks',
  artifact: 'artifacts',
} as const satisfies Record<AgentEntityKind, keyof AgentState>

const start = createEvent('run.started', { input: 'go' }, { sequence: 1 })

function eventOf(row: Pick<ReducerRow, 'type' | 'payload'>, options: Parameters<typeof createEvent>[2]): AgentEvent {
  return createEvent(row.type, row.payload, options)
}

/** The run, and where the row's entity must be there before, that too. */
function before(row: ReducerRow): AgentState {
  const needed = row.needs ? [eventOf({ type: row.needs, payload: payloadOf(row.needs) }, { sequence: 2 })] : []
  return replayAgentEvents([start, ...needed])
}

function expectRefusal(state: AgentState, event: AgentEvent, code: string): AgentState {
  const next = reduceAgentState(state, event)
  const { eventId, runId } = event
  expect(next.issues).toEqual([...state.issues, { code, eventId, runId, message: expect.any(String) }])
  const { issues: _, processedEvents: __, ...rest } = next
  const { issues: _before, processedEvents: __before, ...restBefore } = state
  expect(rest).toEqual(restBefore)
  expect(reduceAgentState(next, event), 'the same event again changes nothing').toBe(next)
  return next
}

it('has a row for every event type', () => {
  const types = new Set(['session.started', 'run.started', ...reducerTable.map((row) => row.type)])
  expect([...types].sort()).toEqual([...agentEventTypes].sort())
})

describe.each(reducerTable.map((row) => [row.type, row] as const))('%s', (_, row) => {
  const event = eventOf(row, { sequence: 3, timestamp: 5000 })

  it('has its effect, once', () => {
    const next = reduceAgentState(before(row), event)
    expect(next.issues).toEqual([])
    expect(next.lastSequenceByRun.r1).toBe(3)
    if (row.run) expect(next.runs.r1).toMatchObject({ ...row.run, input: 'go', createdAt: 1001, updatedAt: 5000 })
    if (row.entity) {
      const { kind, id, expected } = row.entity
      const entity = next[recordOf[kind]][getAgentEntityKey('r1', id)]
      expect(entity).toMatchObject({ ...expected, id, runId: 'r1', updatedAt: 5000 })
      expect(entity).toHaveProperty('createdAt', row.needs ? 1002 : 5000)
      expect(next.order).toEqual([{ kind, id, runId: 'r1' }])
    }
    expect(reduceAgentState(next, event)).toBe(next)
  })

  it('leaves out what it does not state', () => {
    const text = JSON.stringify(reduceAgentState(before(row), event))
    expect(JSON.parse(text)).toStrictEqual(reduceAgentState(before(row), event))
  })

  it('is refused at or below the last sequence, and recorded once', () => {
    const at = expectRefusal(before(row), eventOf(row, { sequence: 1, eventId: 'at' }), 'invalid_sequence')
    expectRefusal(at, eventOf(row, { sequence: 0, eventId: 'below' }), 'invalid_sequence')
  })

  it('is refused without its run', () => {
    expectRefusal(createInitialAgentState(), event, 'missing_run')
  })

  it('is refused in another session', () => {
    expectRefusal(before(row), { ...event, sessionId: 's2' }, 'invalid_transition')
  })

  it('is refused by a run that has ended, unless it is old: then it is absorbed', () => {
    const ended = reduceAgentState(before(row), createEvent('run.cancelled', {}, { sequence: 10 }))
    expectRefusal(ended, eventOf(row, { sequence: 11 }), 'invalid_transition')
    expect(reduceAgentState(ended, eventOf(row, { sequence: 10, eventId: 'x' }))).toBe(ended)
    expect(reduceAgentState(ended, event)).toBe(ended)
  })

  if (row.needs) {
    it('lays its meta over the entity’s, key by key, and leaves it alone where it has none', () => {
      const made = eventOf({ type: row.needs!, payload: payloadOf(row.needs!) }, { sequence: 2, meta: { a: 1, b: 1 } })
      const metaOf = (state: AgentState) => state[recordOf[row.entity!.kind]][getAgentEntityKey('r1', 'e1')]!.meta
      const state = replayAgentEvents([start, made])
      expect(metaOf(reduceAgentState(state, event))).toEqual({ a: 1, b: 1 })
      const stated = eventOf(row, { sequence: 3, meta: { b: { c: 2 }, ['__proto__']: 3 } })
      const next = reduceAgentState(state, stated)
      expect(metaOf(next)).toEqual({ a: 1, b: { c: 2 }, ['__proto__']: 3 })
      expect(metaOf(state), 'the state before is as it was').toEqual({ a: 1, b: 1 })
    })
    it('is refused without its entity', () => {
      expectRefusal(replayAgentEvents([start]), event, 'missing_entity')
    })
    it('is refused by an entity of another run under the same id', () => {
      const other = createEvent('run.started', {}, { runId: 'r2', sequence: 1 })
      const state = reduceAgentState(before(row), other)
      expectRefusal(state, { ...event, runId: 'r2' } as AgentEvent, 'missing_entity')
    })
  } else if (row.entity) {
    it('is refused where its id is taken, whatever became of the first', () => {
      const state = reduceAgentState(before(row), event)
      expectRefusal(state, eventOf(row, { sequence: 4 }), 'duplicate_entity')
    })
    it('keeps the parent and the meta of its event', () => {
      const stated = eventOf(row, { sequence: 3, parentId: 'p1', meta: { trace: 7 } })
      const next = reduceAgentState(before(row), stated)
      const entity = next[recordOf[row.entity!.kind]][getAgentEntityKey('r1', 'e1')]
      expect(entity).toMatchObject({ parentId: 'p1', meta: { trace: 7 } })
    })
  }

  if (row.ends && row.entity) {
    const changes = reducerTable.filter((entry) => entry.needs === row.needs)
    it.each(changes.map((change) => [change.type, change] as const))(
      'is final: %s is refused after it',
      (_, change) => {
        const ended = reduceAgentState(before(row), event)
        expectRefusal(ended, eventOf(change, { sequence: 4 }), 'invalid_transition')
      },
    )
  }
})

describe('session.started', () => {
  const session = createEvent('session.started', { title: 'Trip' }, { sequence: 0 })

  it('comes before its run and announces the session', () => {
    const state = replayAgentEvents([session, start])
    expect(state.sessions).toEqual({ s1: { id: 's1', title: 'Trip', createdAt: 1000 } })
    expect(state.runs.r1?.status).toBe('running')
    expect(state.issues).toEqual([])
    expect(reduceAgentState(state, session)).toBe(state)
  })

  it('is refused for a session that is known', () => {
    expectRefusal(replayAgentEvents([session, start]), { ...session, eventId: 'x', sequence: 2 }, 'duplicate_entity')
    expectRefusal(replayAgentEvents([session]), { ...session, runId: 'r2', eventId: 'x' }, 'duplicate_entity')
  })

  it('is refused in a run of another session', () => {
    expectRefusal(replayAgentEvents([start]), { ...session, sessionId: 's2', sequence: 2 }, 'invalid_transition')
  })
})

describe('run.started', () => {
  it('makes a running run that keeps its input', () => {
    const run = { id: 'r1', sessionId: 's1', status: 'running', input: 'go', createdAt: 1001, updatedAt: 1001 }
    expect(replayAgentEvents([start]).runs).toEqual({ r1: run })
  })

  it('is refused a second time, while the run runs and after it', () => {
    const again = createEvent('run.started', {}, { sequence: 8 })
    expectRefusal(replayAgentEvents([start]), again, 'duplicate_entity')
    expectRefusal(
      replayAgentEvents([start, createEvent('run.completed', {}, { sequence: 2 })]),
      again,
      'duplicate_entity',
    )
  })
})

describe('an end that states nothing', () => {
  it.each([
    ['message.completed', 'messages', { content: 'Hi' }],
    ['reasoning.completed', 'reasoning', { content: '' }],
    ['tool.completed', 'toolCalls', { arguments: '{"q":' }],
    ['task.completed', 'tasks', { title: 'Look' }],
    ['artifact.completed', 'artifacts', { content: '#' }],
  ] as const)('leaves what was there: %s', (type, record, kept) => {
    const row = reducerTable.find((entry) => entry.type === type)!
    const [field] = Object.entries(row.payload).find(([, value]) => value === 'e1')!
    const state = reduceAgentState(before(row), eventOf({ type, payload: { [field]: 'e1' } as never }, { sequence: 3 }))
    const entity = state[record][getAgentEntityKey('r1', 'e1')]
    expect(entity).toMatchObject({ ...kept, status: 'completed' })
    for (const absent of ['summary', 'result', 'version']) expect(entity).not.toHaveProperty(absent)
  })
})

describe('an approval', () => {
  const requested = createEvent('approval.requested', { approvalId: 'a1', data: { amount: 3 } }, { sequence: 2 })

  it.each(['approved', 'rejected', 'modified', 'expired'] as const)('is completed when it is %s', (decision) => {
    const resolved = createEvent('approval.resolved', { approvalId: 'a1', decision }, { sequence: 3 })
    const approval = replayAgentEvents([start, requested, resolved]).approvals[getAgentEntityKey('r1', 'a1')]
    expect(approval).toMatchObject({ status: 'completed', decision, data: { amount: 3 } })
  })

  it('gets other data only where some is given, null included', () => {
    const resolved = createEvent(
      'approval.resolved',
      { approvalId: 'a1', decision: 'modified', data: null },
      { sequence: 3 },
    )
    const approval = replayAgentEvents([start, requested, resolved]).approvals[getAgentEntityKey('r1', 'a1')]
    expect(approval).toHaveProperty('data', null)
  })
})

describe('a tool call that is retried', () => {
  it('stays failed; its retry is another one that names it', () => {
    const error = { message: 'Busy.', retryable: true }
    const state = replayAgentEvents([
      start,
      createEvent('tool.requested', { toolCallId: 't1', name: 'search' }, { sequence: 2 }),
      createEvent('tool.failed', { toolCallId: 't1', error }, { sequence: 3 }),
      createEvent('tool.requested', { toolCallId: 't2', name: 'search', attempt: 2, retryOf: 't1' }, { sequence: 4 }),
      createEvent('tool.completed', { toolCallId: 't2' }, { sequence: 5 }),
    ])
    expect(Object.values(state.toolCalls)).toMatchObject([
      { id: 't1', status: 'failed', attempt: 1, error },
      { id: 't2', status: 'completed', attempt: 2, retryOf: 't1' },
    ])
    expect(state.toolCalls[getAgentEntityKey('r1', 't2')]).not.toHaveProperty('result')
  })
})

describe('the end of a run', () => {
  it('leaves its open entities as they are', () => {
    const message = createEvent('message.started', { messageId: 'm1', role: 'assistant' }, { sequence: 2 })
    const state = replayAgentEvents([start, message, createEvent('run.completed', {}, { sequence: 3 })])
    expect(state.messages[getAgentEntityKey('r1', 'm1')]?.status).toBe('streaming')
  })

  it('lets go of what the run has taken', () => {
    const running = replayAgentEvents([start])
    expect(Object.keys(running.processedEvents)).toEqual(['r1'])
    expect(reduceAgentState(running, createEvent('run.completed', {}, { sequence: 3 })).processedEvents).toEqual({})
  })

  it('says nothing of a newer event of another run', () => {
    const ended = replayAgentEvents([start, createEvent('run.completed', {}, { sequence: 3 })])
    const other = createEvent('run.started', {}, { runId: 'r2', sequence: 0 })
    expect(reduceAgentState(ended, other).issues).toEqual([])
  })
})
