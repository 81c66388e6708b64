import {
  AGENT_TRACE_FORMAT,
  AgentTraceError,
  createAgentTrace,
  parseAgentTrace,
  readAgentTraceFile,
  replayAgentEvents,
  stringifyAgentTrace,
  type AgentEvent,
  type AgentTrace,
  type AgentTraceErrorCode,
} from 'redux-agent'
import { describe, expect, it } from 'vitest'
import { createSampleEvents } from './createSampleEvents.ts'

const sample = (): AgentTrace =>
  createAgentTrace({
    events: createSampleEvents(),
    checkpoints: [
      { sequence: 7, kind: 'tool_call_started' },
      { sequence: 1, kind: 'run_started' },
    ],
    title: 'Change it "now"',
    exportedAt: 5000,
  })

/** The file's value, changed. */
const damaged = (change: (value: Record<string, unknown>) => object | void): string => {
  const value = JSON.parse(stringifyAgentTrace(sample())) as Record<string, unknown>
  return JSON.stringify(change(value) ?? value)
}

const refusal = (read: () => unknown): AgentTraceError => {
  try {
    read()
  } catch (error) {
    if (error instanceof AgentTraceError) return error
    throw error
  }
  throw new Error('It was taken.')
}

describe('a trace file', () => {
  it('comes back as it was written, by whichever way it is read', async () => {
    const trace = sample()
    const text = stringifyAgentTrace(trace)
    expect(parseAgentTrace(text)).toEqual(trace)
    expect(await readAgentTraceFile(new Blob([text]))).toEqual(trace)
    expect(replayAgentEvents(parseAgentTrace(text).events)).toEqual(replayAgentEvents(trace.events))
    expect(stringifyAgentTrace(parseAgentTrace(text))).toBe(text)
  })

  it('has its checkpoints by sequence, an event a line, and says its format first', () => {
    const lines = stringifyAgentTrace(sample()).split('\n')
    expect(lines[0]).toMatch(/^\{"format":"redux-agent-trace\/1"/)
    expect(lines.filter((line) => line.startsWith('{"protocolVersion"'))).toHaveLength(sample().events.length)
    expect(sample().checkpoints.map(({ sequence }) => sequence)).toEqual([1, 7])
  })

  it('comes back without title, time and checkpoints, too, and with hostile ids', () => {
    const events = createSampleEvents({ runId: '__proto__' })
    const trace = createAgentTrace({ events })
    expect(parseAgentTrace(stringifyAgentTrace(trace))).toEqual(trace)
    const polluting = stringifyAgentTrace(trace).replace('{"format"', '{"__proto__":{"polluted":1},"format"')
    expect(parseAgentTrace(polluting)).toEqual(trace)
    expect(({} as { polluted?: number }).polluted).toBeUndefined()
  })

  it('keeps nothing that the format does not know', () => {
    const text = damaged((value) => ({ ...value, script: 'alert(1)', checkpoints: [{ sequence: 1, kind: 'x', more: 1 }] }))
    expect(parseAgentTrace(text)).not.toHaveProperty('script')
    expect(parseAgentTrace(text).checkpoints).toEqual([{ sequence: 1, kind: 'x' }])
  })

  const events = (value: Record<string, unknown>) => value.events as Record<string, unknown>[]

  it.each<[string, AgentTraceErrorCode, string]>([
    ['what is no JSON', 'not_json', '{"format":'],
    ['an empty file', 'not_json', ''],
    ['other JSON', 'not_a_trace', '{"events":[]}'],
    ['a list', 'not_a_trace', '[1]'],
    ['null', 'not_a_trace', 'null'],
    ['another format', 'not_a_trace', damaged((value) => ({ ...value, format: 'har/1' }))],
    ['a later version', 'unsupported_format', damaged((value) => ({ ...value, format: 'redux-agent-trace/2' }))],
    ['events that are no list', 'invalid_trace', damaged((value) => ({ ...value, events: {} }))],
    ['no run', 'invalid_trace', damaged((value) => ({ ...value, runId: '' }))],
    ['a title that is no text', 'invalid_trace', damaged((value) => ({ ...value, title: { html: '<b>' } }))],
    ['a checkpoint nowhere', 'invalid_trace', damaged((value) => ({ ...value, checkpoints: [{ sequence: -1, kind: 'x' }] }))],
    ['no events', 'no_events', damaged((value) => ({ ...value, events: [] }))],
    ['an event of no type', 'invalid_event', damaged((value) => void (events(value)[2]!.type = 'tool.exploded'))],
    ['an event without its payload', 'invalid_event', damaged((value) => void (events(value)[1]!.payload = {}))],
    ['an event of another run', 'foreign_event', damaged((value) => void (events(value)[3]!.runId = 'r2'))],
    ['a run that is not the events’', 'foreign_event', damaged((value) => ({ ...value, runId: 'r2' }))],
    ['events out of order', 'invalid_order', damaged((value) => void events(value).reverse())],
    ['an event twice', 'invalid_order', damaged((value) => void events(value).splice(1, 0, events(value)[0]!))],
  ])('refuses %s', (_, code, text) => {
    expect(refusal(() => parseAgentTrace(text)).code).toBe(code)
  })

  it('says where a file is damaged, and nothing of what it holds', () => {
    const { message } = refusal(() => parseAgentTrace(damaged((value) => void (events(value)[2]!.type = 'secret'))))
    expect(message).toContain('event 3')
    expect(message).not.toContain('secret')
  })

  it('is refused by its size before it is read, and by its number of events', async () => {
    const text = stringifyAgentTrace(sample())
    const file = new Blob([text])
    let isRead = false
    file.text = () => {
      isRead = true
      return Promise.resolve(text)
    }
    await expect(readAgentTraceFile(file, { maxSize: 100 })).rejects.toMatchObject({ code: 'too_large' })
    expect(isRead).toBe(false)
    expect(refusal(() => parseAgentTrace(text, { maxSize: 100 })).code).toBe('too_large')
    expect(refusal(() => parseAgentTrace(text, { maxEvents: 5 })).code).toBe('too_many_events')
    const { events: one } = createAgentTrace({ events: createSampleEvents().slice(0, 1) })
    const checkpoints = Array.from({ length: 9 }, () => ({ sequence: 1, kind: 'x' }))
    const many = stringifyAgentTrace(createAgentTrace({ events: one, checkpoints }))
    expect(refusal(() => parseAgentTrace(many, { maxEvents: 8 })).code).toBe('too_many_events')
    expect(parseAgentTrace(text, { maxSize: text.length, maxEvents: sample().events.length }).format).toBe(AGENT_TRACE_FORMAT)
  })

  it('says so of a list of nothing but wrong checkpoints, however long', () => {
    const text = damaged((value) => ({ ...value, checkpoints: Array.from({ length: 300_000 }, () => 0) }))
    expect(refusal(() => parseAgentTrace(text))).toMatchObject({
      code: 'invalid_trace',
      message: 'The trace is damaged: "checkpoints" is not what it must be.',
    })
  })

  it('says so where the file cannot be read any more', async () => {
    const file = new Blob(['{}'])
    file.text = () => Promise.reject(new DOMException('Gone', 'NotFoundError'))
    await expect(readAgentTraceFile(file)).rejects.toMatchObject({ code: 'unreadable' })
  })

  it('is not made of events that are no run', () => {
    const [first, second] = createSampleEvents() as [AgentEvent, AgentEvent]
    expect(refusal(() => createAgentTrace({ events: [] })).code).toBe('no_events')
    expect(refusal(() => createAgentTrace({ events: [second, first] })).code).toBe('invalid_order')
    expect(refusal(() => createAgentTrace({ events: [first, { ...second, runId: 'r2' }] })).code).toBe('foreign_event')
  })
})
