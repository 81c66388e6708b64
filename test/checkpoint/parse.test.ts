import fc from 'fast-check'
import {
  createAgentEventFactory,
  getAgentEntityKey,
  parseAgentCheckpoint,
  reduceAgentEvents,
  replayAgentEvents,
} from 'redux-agent'
import type { AgentCheckpoint, AgentEvent } from 'redux-agent'
import { describe, expect, it } from 'vitest'
import { arbitraryScripts } from '../state/arbitraryScripts.ts'
import { createCheckpoint, createRun, createRunning } from './createCheckpoint.ts'

type Json = Record<string, never>
const copy = (checkpoint: AgentCheckpoint) => JSON.parse(JSON.stringify(checkpoint)) as Json
const parse = (value: unknown) => parseAgentCheckpoint(value, { sessionId: 's1' })
const key = getAgentEntityKey('r1', 'm1')

/** Puts a value at a path of a copy, or deletes what is there. */
function edit(path: readonly (string | number)[], value?: unknown): Json {
  const whole = copy(createRunning(2))
  const parent = path.slice(0, -1).reduce<Record<string, unknown>>((at, name) => at[name] as Json, whole)
  const last = path.at(-1)!
  if (value === undefined) delete parent[last]
  else parent[last] = value
  return whole
}

describe('a checkpoint from outside', () => {
  it('is given back as it is', () => {
    const value = copy(createRunning(2))
    expect(parse(value)).toEqual({ checkpoint: value })
    expect(parse(value).checkpoint).toBe(value)
  })

  it.each([undefined, null, 1, 'text', [], {}])('is no checkpoint when it is %j', (value) => {
    expect(parse(value).fault).toMatchObject({ code: 'invalid' })
  })

  it.each<[string, (string | number)[], unknown]>([
    ['a message without its run', ['state', 'runs', 'r1'], undefined],
    ['a run without a sequence', ['state', 'lastSequenceByRun', 'r1'], undefined],
    ['a sequence below zero', ['state', 'lastSequenceByRun', 'r1'], -1],
    ['a run under another key', ['state', 'runs', 'r1', 'id'], 'r2'],
    ['a message under another key', ['state', 'messages', key, 'id'], 'm2'],
    ['a message of another run', ['state', 'messages', key, 'runId'], 'r2'],
    ['content that is none', ['state', 'messages', key, 'content'], 1],
    ['a part that is none', ['state', 'messages', key, 'content'], [{ type: 'text' }]],
    ['a message without a time', ['state', 'messages', key, 'updatedAt'], undefined],
    ['a message that has no place', ['state', 'order'], []],
    ['a place without an entity', ['state', 'order', 0, 'id'], 'm2'],
    ['a place of another kind', ['state', 'order', 0, 'kind'], 'task'],
    ['a place of no kind', ['state', 'order', 0, 'kind'], 'toString'],
    ['a place of no run', ['state', 'order', 0, 'runId'], ''],
    ['places that are no list', ['state', 'order'], { length: 1 }],
    ['an entity that stands twice', ['state', 'order', 1], { kind: 'message', id: 'm1', runId: 'r1' }],
    ['an issue without words', ['state', 'issues', 0], { code: 'missing_run', eventId: 'e', runId: 'r1' }],
    ['an issue of no known code', ['state', 'issues', 0], { code: 'odd', eventId: 'e', runId: 'r1', message: '' }],
    ['no record of entities', ['state', 'tasks'], undefined],
    ['a list for a record', ['state', 'tasks'], []],
    ['processed events that are none', ['state', 'processedEvents', 'r1', 'types'], 1],
    ['a tree of ids that is half a branch', ['state', 'processedEvents', 'r1', 'others'], [[], []]],
    ['a tree of ids with a number', ['state', 'processedEvents', 'r1', 'others'], ['a', 1]],
    ['a cursor that is no text', ['cursorByRun', 'r1'], 1],
    ['a connection without a provider', ['connectionByRun'], { r1: { detached: true } }],
    ['a command that is none', ['pendingCommands', 0], { type: 'run.cancel' }],
    ['no time', ['savedAt'], 'now'],
  ])('is invalid with %s', (_what, path, value) => {
    const { fault } = parse(edit(path, value))
    expect(fault).toMatchObject({ code: 'invalid' })
    expect(fault?.message).not.toMatch(/word0|m1|Hi/)
  })

  it('may hold a tree of ids as deep as one grows, and no deeper', () => {
    const branch = (child: unknown) => [child, ...Array.from({ length: 15 }, () => [])]
    const nest = (depth: number): unknown => (depth === 0 ? ['a'] : branch(nest(depth - 1)))
    const at = ['state', 'processedEvents', 'r1', 'others']
    expect(parse(edit(at, nest(16))).fault).toBeUndefined()
    expect(parse(edit(at, nest(17))).fault).toMatchObject({ code: 'invalid' })
  })

  it('knows events of any id when they come again, thousands of them', () => {
    const { create } = createAgentEventFactory({ sessionId: 's1', runId: 'r1', now: () => 1 })
    const tasks = Array.from({ length: 5000 }, (_, index) =>
      create('task.created', { taskId: `t${index}`, title: 'Do' }, { eventId: `e${index}` }),
    )
    const events = [create('run.started', {}), ...tasks] as AgentEvent[]
    const { checkpoint } = parse(copy(createCheckpoint(replayAgentEvents(events))))
    expect(reduceAgentEvents(checkpoint!.state, events)).toBe(checkpoint!.state)
  })

  it('may hold __proto__ and the like as ids, which pollute nothing', () => {
    const events = createRun({ runId: '__proto__', ends: false })
    const inputByRun = JSON.parse('{"__proto__":{"polluted":1}}') as Json
    const value = copy(createCheckpoint(replayAgentEvents(events), { inputByRun }))
    const { checkpoint } = parse(value)
    expect(Object.keys(checkpoint!.state.runs)).toEqual(['__proto__'])
    expect(Object.keys(checkpoint!.inputByRun)).toEqual(['__proto__'])
    expect(({} as { polluted?: number }).polluted).toBeUndefined()
    const bad = JSON.parse(JSON.stringify(value).replace('"status":"running"', '"status":"odd"')) as unknown
    expect(parse(bad).fault).toMatchObject({ code: 'invalid' })
  })

  it('is another session’s by any of its parts', () => {
    const command = {
      commandProtocol: 'agent-command',
      commandProtocolVersion: '0.1',
      type: 'run.cancel',
      commandId: 'c1',
      idempotencyKey: 'k1',
      sessionId: 's2',
      runId: 'r1',
      timestamp: 1,
      payload: {},
    }
    for (const value of [
      edit(['sessionId'], 's2'),
      edit(['state', 'runs', 'r1', 'sessionId'], 's2'),
      edit(['pendingCommands', 0], command),
    ]) {
      expect(parse(value).fault).toMatchObject({ code: 'foreign_session' })
    }
    expect(parse(edit(['pendingCommands', 0], { ...command, sessionId: 's1' })).fault).toBeUndefined()
  })

  it.each([
    ['schemaVersion', 2],
    ['eventProtocolVersion', '0.2'],
    ['commandProtocolVersion', '1.0'],
  ])('is of an unknown version by its %s', (name, version) => {
    expect(parse(edit([name], version)).fault).toMatchObject({ code: 'unsupported_version' })
    expect(parse(edit([name])).fault).toMatchObject({ code: 'invalid' })
  })

  it('never throws, whatever is broken in it, and what passes takes events', () => {
    const script = arbitraryScripts({ maxLength: 20 })
    fc.assert(
      fc.property(script, fc.array(fc.nat()), fc.jsonValue({ maxDepth: 2 }), (events, way, value) => {
        const whole = JSON.parse(JSON.stringify(createCheckpoint(replayAgentEvents(events)))) as Record<string, unknown>
        let at: Record<string, unknown> = whole
        for (const step of way) {
          const names = Object.keys(at)
          const name = names[step % names.length]
          if (name === undefined) break
          const next = at[name]
          if (typeof next !== 'object' || next === null) {
            Object.defineProperty(at, name, { value, enumerable: true, configurable: true, writable: true })
            break
          }
          at = next as Record<string, unknown>
        }
        const { checkpoint, fault } = parse(whole)
        if (checkpoint) reduceAgentEvents(checkpoint.state, events)
        else expect(fault.message).toMatch(/^The checkpoint/)
      }),
      { numRuns: 300 },
    )
  })
})
