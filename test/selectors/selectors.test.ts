import fc from 'fast-check'
import {
  createAgentEventFactory,
  createInitialAgentState,
  getAgentEntityKey,
  reduceAgentEvents,
  replayAgentEvents,
  selectAgentTimeline,
  selectApproval,
  selectMessages,
  selectRun,
  selectRunningRuns,
  selectToolCall,
  type AgentEvent,
  type AgentState,
} from 'redux-agent'
import { describe, expect, it } from 'vitest'

const runOf = (runId: string, sessionId = 's1') => createAgentEventFactory({ sessionId, runId, now: () => 1 })

/** A run in which everything happens once, under one id. */
function tell(runId: string, id: string): AgentEvent[] {
  const { create } = runOf(runId)
  return [
    create('run.started', {}),
    create('message.started', { messageId: id, role: 'assistant', content: 'Hi' }),
    create('reasoning.started', { reasoningId: id, redacted: true }),
    create('reasoning.delta', { reasoningId: id, delta: 'secret' }),
    create('tool.requested', { toolCallId: id, name: 'search' }),
    create('approval.requested', { approvalId: id }),
    create('task.created', { taskId: id, title: 'Step' }),
    create('artifact.created', { artifactId: id, name: 'file' }),
  ]
}

const grow = (state: AgentState, ...events: AgentEvent[]) => reduceAgentEvents(state, events)

describe.each(['r1', '__proto__', 'constructor', 'toString', ' '])('with the id %j', (id) => {
  const state = replayAgentEvents(tell(id, id))

  it('finds what is there, and nothing else', () => {
    expect(selectRun(state, id)?.status).toBe('running')
    expect(selectToolCall(state, { runId: id, toolCallId: id })?.name).toBe('search')
    expect(selectApproval(state, { runId: id, approvalId: id })?.status).toBe('waiting')
    expect(selectRunningRuns(state, 's1')).toHaveLength(1)
    expect(selectMessages(state).map((info) => info.id)).toEqual([getAgentEntityKey(id, id)])
    expect(selectAgentTimeline(state, { runId: id })).toHaveLength(6)
    const { entity } = selectAgentTimeline(state, { runId: id, includeReasoning: true })[1]!
    expect(entity).toMatchObject({ id, content: '' })
  })

  it('finds nothing of it in an empty state', () => {
    const empty = createInitialAgentState()
    expect(selectRun(empty, id)).toBeUndefined()
    expect(selectToolCall(empty, { runId: id, toolCallId: id })).toBeUndefined()
    expect(selectApproval(empty, { runId: id, approvalId: id })).toBeUndefined()
    expect(selectRunningRuns(empty, id)).toEqual([])
    expect(selectMessages(empty)).toEqual([])
    expect(selectAgentTimeline(empty, { runId: id })).toEqual([])
  })
})

describe('selectAgentTimeline', () => {
  it('keeps the order of the state, whatever the clock said', () => {
    const { create } = runOf('r1')
    const state = replayAgentEvents([
      create('run.started', {}),
      create('task.created', { taskId: 'late', title: 'Late' }, { timestamp: 900 }),
      create('message.started', { messageId: 'early', role: 'user', content: '' }, { timestamp: 5 }),
    ])
    expect(selectAgentTimeline(state).map(({ kind, id }) => [kind, id])).toEqual([
      ['task', 'late'],
      ['message', 'early'],
    ])
  })

  it('gives one run or all, and reasoning unless it is asked to stay out', () => {
    const state = replayAgentEvents([...tell('r1', 'x'), ...tell('r2', 'x')])
    expect(selectAgentTimeline(state, { includeReasoning: false })).toHaveLength(10)
    expect(selectAgentTimeline(state)).toHaveLength(12)
    const ofOne = selectAgentTimeline(state, { runId: 'r2', includeReasoning: true })
    expect(ofOne.map(({ kind }) => kind)).toEqual(['message', 'reasoning', 'tool', 'approval', 'task', 'artifact'])
    expect(ofOne.every(({ runId }) => runId === 'r2')).toBe(true)
  })

  it('leaves out a reference without an entity', () => {
    const state = replayAgentEvents(tell('r1', 'x'))
    expect(selectAgentTimeline({ ...state, messages: {} }).map(({ kind }) => kind)).not.toContain('message')
  })

  it('hides what a redacted reasoning said, and shows what another said', () => {
    const { create } = runOf('r1')
    const state = replayAgentEvents([
      create('run.started', {}),
      create('reasoning.started', { reasoningId: 'a', redacted: true }),
      create('reasoning.delta', { reasoningId: 'a', delta: 'secret' }),
      create('reasoning.started', { reasoningId: 'b' }),
      create('reasoning.delta', { reasoningId: 'b', delta: 'open' }),
    ])
    const shown = selectAgentTimeline(state, { includeReasoning: true })
    expect(JSON.stringify(shown)).not.toContain('secret')
    expect(shown[1]!.entity).toBe(Object.values(state.reasoning)[1])
  })

  it('keeps the list while its entities stay, and each item while its entity does', () => {
    const events = runOf('r1')
    const { create } = events
    const before = replayAgentEvents([
      create('run.started', {}),
      create('message.started', { messageId: 'a', role: 'assistant' }),
      create('message.started', { messageId: 'b', role: 'assistant' }),
    ])
    const issue = grow(before, create('message.delta', { messageId: 'nowhere', delta: '?' }))
    expect(issue).not.toBe(before)
    expect(selectAgentTimeline(issue)).toBe(selectAgentTimeline(before))
    const after = grow(issue, create('message.delta', { messageId: 'b', delta: 'x' }))
    const [a, b] = selectAgentTimeline(after)
    expect(a).toBe(selectAgentTimeline(before)[0])
    expect(b).not.toBe(selectAgentTimeline(before)[1])
    expect(selectAgentTimeline(after, { runId: 'r1' })[1]).toBe(b)
  })
})

describe('selectMessages', () => {
  const status = (...events: AgentEvent[]) => selectMessages(replayAgentEvents(events)).map((info) => info.status)

  it('says where each message stands', () => {
    const { create } = runOf('r1')
    const started = (messageId: string, role = 'assistant') => create('message.started', { messageId, role })
    expect(
      status(
        create('run.started', {}),
        started('u', 'user'),
        started('a'),
        started('b'),
        started('c'),
        started('d'),
        create('message.completed', { messageId: 'a' }),
        create('message.failed', { messageId: 'b', error: { message: 'No.' } }),
        create('message.cancelled', { messageId: 'c' }),
      ),
    ).toEqual(['local', 'success', 'error', 'abort', 'updating'])
  })

  it('shows an open message of a run that was let go of as aborted, and a finished one as it is', () => {
    const { create } = runOf('r1')
    const state = replayAgentEvents([
      create('run.started', {}),
      create('message.started', { messageId: 'a', role: 'assistant' }),
      create('message.completed', { messageId: 'a' }),
      create('message.started', { messageId: 'b', role: 'assistant' }),
    ])
    const detached = selectMessages(state, { detachedRunIds: ['r1'] })
    expect(detached.map((info) => info.status)).toEqual(['success', 'abort'])
    expect(detached[0]).toBe(selectMessages(state)[0])
    expect(selectMessages(state, { detachedRunIds: ['other'] })[1]!.status).toBe('updating')
  })

  it('keeps the list while other entities stream, and each item while its message and status do', () => {
    const { create } = runOf('r1')
    const before = replayAgentEvents([
      create('run.started', {}),
      create('message.started', { messageId: 'a', role: 'assistant' }),
      create('tool.requested', { toolCallId: 't', name: 'search' }),
    ])
    const typing = grow(before, create('tool.arguments_delta', { toolCallId: 't', delta: '{' }))
    expect(selectMessages(typing)).toBe(selectMessages(before))
    const ended = grow(typing, create('run.cancelled', {}))
    expect(selectMessages(ended)[0]).toMatchObject({ status: 'abort', message: selectMessages(before)[0]!.message })
  })
})

describe('what meta calls reset or hidden', () => {
  it('is in no timeline and among no messages, and stays in the state', () => {
    const { create } = runOf('r1')
    const before = replayAgentEvents([
      create('run.started', {}),
      create('message.started', { messageId: 'a', role: 'assistant', content: 'Taken back' }),
      create('tool.requested', { toolCallId: 't', name: 'search' }),
      create('artifact.created', { artifactId: 'own', name: 'notes' }, { meta: { hidden: true } }),
      create('message.started', { messageId: 'b', role: 'assistant' }, { meta: { reset: 'no', hidden: 1 } }),
    ])
    expect(selectAgentTimeline(before).map(({ id }) => id)).toEqual(['a', 't', 'b'])
    const reset = { meta: { reset: true } }
    const after = grow(
      before,
      create('message.cancelled', { messageId: 'a' }, reset),
      create('tool.cancelled', { toolCallId: 't' }, reset),
    )
    expect(selectAgentTimeline(after).map(({ id }) => id)).toEqual(['b'])
    expect(selectMessages(after).map(({ message }) => message.id)).toEqual(['b'])
    expect(selectToolCall(after, { runId: 'r1', toolCallId: 't' })?.status).toBe('cancelled')
  })
})

describe('selectRunningRuns', () => {
  it('gives the session’s running runs, the same list while none starts or ends', () => {
    const one = runOf('r1')
    const two = runOf('r2')
    const state = replayAgentEvents([
      one.create('run.started', {}),
      two.create('run.started', {}),
      runOf('r3', 's2').create('run.started', {}),
    ])
    const talking = grow(state, one.create('message.started', { messageId: 'a', role: 'assistant' }))
    expect(selectRunningRuns(talking, 's1')).toBe(selectRunningRuns(state, 's1'))
    const ended = grow(talking, one.create('run.completed', {}))
    expect(selectRunningRuns(ended, 's1').map(({ id }) => id)).toEqual(['r2'])
    expect(selectRunningRuns(ended, 's2').map(({ id }) => id)).toEqual(['r3'])
  })
})

describe('all selectors', () => {
  it('leave the state as it is, and give the same for the same', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1 }), fc.string({ minLength: 1 }), fc.boolean(), (runId, id, all) => {
        const state = replayAgentEvents(tell(runId, id))
        const copy = structuredClone(state)
        const options = { runId, includeReasoning: all }
        expect(selectAgentTimeline(state, options)).toBe(selectAgentTimeline(state, { ...options }))
        expect(selectMessages(state)).toBe(selectMessages(state))
        expect(selectAgentTimeline(state, options)).toEqual(selectAgentTimeline(copy, options))
        expect(state).toEqual(copy)
      }),
    )
  })
})
