import { agentEventTypes, type AgentEvent, type AgentProviderCapabilities } from 'redux-agent'
import { validateAgentProviderEvents } from 'redux-agent/testing'
import { describe, expect, it } from 'vitest'
import { makeEvents } from './fixtures.ts'

const capabilities: AgentProviderCapabilities = { eventTypes: agentEventTypes, transports: ['async-iterable'] }
const dense: AgentProviderCapabilities = { ...capabilities, sequence: 'dense' }

/** A whole run: a message and a failed tool that was retried. */
function makeRun(initialSequence?: number): AgentEvent[] {
  const events = makeEvents(initialSequence)
  return [
    events.create('run.started', {}),
    events.create('message.started', { messageId: 'm1', role: 'assistant' }),
    events.create('message.delta', { messageId: 'm1', delta: 'x' }),
    events.create('message.completed', { messageId: 'm1' }),
    events.create('tool.requested', { toolCallId: 't1', name: 'search' }),
    events.create('tool.running', { toolCallId: 't1' }),
    events.create('tool.failed', { toolCallId: 't1', error: { message: 'x', retryable: true } }),
    events.create('tool.requested', { toolCallId: 't2', name: 'search', attempt: 2, retryOf: 't1' }),
    events.create('tool.running', { toolCallId: 't2' }),
    events.create('tool.completed', { toolCallId: 't2' }),
    events.create('run.completed', {}),
  ]
}
const codesOf = (events: readonly unknown[], declared = capabilities) =>
  validateAgentProviderEvents(declared, events).map(({ code }) => code)
/** The run with the event at an index changed, or left out. */
function change(index: number, fields: object | undefined): unknown[] {
  const events: unknown[] = makeRun()
  events.splice(index, 1, ...(fields ? [{ ...makeRun()[index], ...fields }] : []))
  return events
}

describe('validateAgentProviderEvents', () => {
  it('has nothing against a whole run, dense or not', () => {
    expect(validateAgentProviderEvents(capabilities, makeRun())).toEqual([])
    expect(validateAgentProviderEvents(dense, makeRun(0))).toEqual([])
  })

  it('finds an event that is none, and names it', () => {
    const issues = validateAgentProviderEvents(capabilities, change(2, { payload: { messageId: 'm1' } }))
    expect(issues).toMatchObject([{ code: 'invalid_event', eventId: 'r1:2:message.delta' }])
    expect(codesOf([...makeRun(), undefined, null, { eventId: 1 }])).toEqual(Array(3).fill('invalid_event'))
  })

  it('finds a type that was not declared', () => {
    const eventTypes = agentEventTypes.filter((type) => type !== 'tool.running')
    const issues = validateAgentProviderEvents({ ...capabilities, eventTypes }, makeRun())
    expect(issues.map(({ code, eventId }) => [code, eventId])).toEqual([
      ['undeclared_event_type', 'r1:5:tool.running'],
      ['undeclared_event_type', 'r1:8:tool.running'],
    ])
  })

  it('finds an id that comes twice', () => {
    expect(codesOf(change(2, { eventId: 'r1:1:message.started' }))).toEqual(['duplicate_event_id'])
  })

  it.each([{ runId: 'r2' }, { sessionId: 's2' }])('finds an event of %j among the others', (fields) => {
    expect(codesOf(change(2, fields))).toEqual(['inconsistent_run'])
  })

  it('finds a sequence that does not rise', () => {
    expect(codesOf(change(2, { sequence: 1 }))).toEqual(['invalid_sequence'])
    expect(codesOf(change(2, { sequence: 0 }))).toEqual(['invalid_sequence'])
  })

  it('finds a gap where the provider is dense, and only there', () => {
    expect(codesOf(change(2, undefined), dense)).toEqual(['invalid_sequence'])
    expect(codesOf(change(2, undefined))).toEqual([])
  })

  it('finds that a run has no start', () => {
    expect(codesOf(change(0, undefined))).toEqual(['missing_run_start'])
  })

  it('finds that a run has no end', () => {
    expect(codesOf(makeRun().slice(0, -1))).toEqual(['missing_run_terminal'])
    expect(codesOf([])).toEqual(['missing_run_start', 'missing_run_terminal'])
  })

  it('finds that a run has two ends', () => {
    const second = makeEvents(10).create('run.failed', { error: { message: 'x' } })
    expect(codesOf([...makeRun(), second])).toEqual(['multiple_run_terminals'])
  })

  it.each([
    ['an event before the start', () => [makeEvents(-1).create('tool.running', { toolCallId: 't1' }), ...makeRun(0)]],
    [
      'an event after the end',
      () => [...makeRun(), makeEvents(10).create('task.created', { taskId: 'k', title: 'x' })],
    ],
    ['a delta of a message that was not started', () => change(2, { payload: { messageId: 'm9', delta: 'x' } })],
    ['a second start of an entity', () => change(7, { payload: { toolCallId: 't1', name: 'search' } })],
    ['a message that is open at the end', () => change(3, undefined)],
    [
      'an approval that nobody answered',
      () => change(7, { type: 'approval.requested', payload: { approvalId: 'a1' } }),
    ],
  ])('finds %s', (_fault, events) => {
    const codes = new Set(codesOf(events()))
    expect(codes).toEqual(new Set(['invalid_lifecycle']))
  })

  it('tells which entity is open', () => {
    const [issue] = validateAgentProviderEvents(capabilities, change(3, undefined))
    expect(issue!.message).toBe('The run is completed, yet its message "m1" is still streaming.')
  })
})
