import {
  agentCommandTypes,
  createAgentCommandFactory,
  getAgentActionKey,
  getAgentCommandActionKey,
  getAgentCommandKey,
  getAgentEntityKey,
} from 'redux-agent'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'

// Digits and colons are what could make two pairs look alike; the names are what a plain record could trip over.
const id = fc.oneof(
  fc.string({ minLength: 1 }),
  fc.string({ unit: fc.constantFrom('1', '2', ':', 'a'), minLength: 1, maxLength: 6 }),
  fc.constantFrom('__proto__', 'constructor', 'toString'),
)

describe('getAgentEntityKey', () => {
  it('gives two pairs of ids the same key only where they are the same', () => {
    fc.assert(
      fc.property(id, id, id, id, (runA, idA, runB, idB) => {
        const same = runA === runB && idA === idB
        expect(getAgentEntityKey(runA, idA) === getAgentEntityKey(runB, idB)).toBe(same)
      }),
      { numRuns: 2000 },
    )
  })

  it('tells pairs apart that a mere separator would join', () => {
    expect(getAgentEntityKey('a:b', 'c')).not.toBe(getAgentEntityKey('a', 'b:c'))
    expect(getAgentEntityKey('1:a', 'b')).not.toBe(getAgentEntityKey('1', 'a:b'))
  })

  it('is a key that no object inherits', () => {
    const record: Record<string, number> = {}
    record[getAgentEntityKey('__proto__', '__proto__')] = 1
    expect(Object.keys(record)).toHaveLength(1)
    expect(({} as Record<string, unknown>)['1']).toBeUndefined()
  })
})

describe('getAgentActionKey', () => {
  it('gives two actions the same key only where they are the same', () => {
    const action = fc.record({
      runId: id,
      type: fc.constantFrom(...agentCommandTypes),
      entityId: fc.option(id, { nil: undefined }),
    })
    fc.assert(
      fc.property(action, action, (first, second) => {
        const same = first.runId === second.runId && first.type === second.type && first.entityId === second.entityId
        expect(getAgentActionKey(first) === getAgentActionKey(second)).toBe(same)
      }),
      { numRuns: 2000 },
    )
  })

  it('is the key of the command that does it', () => {
    const commands = createAgentCommandFactory({ sessionId: 's1', runId: 'r1' })
    const resolve = commands.create('approval.resolve', { approvalId: 'a1', decision: 'approved' })
    const retry = commands.create('tool.retry', { toolCallId: 't1' })
    const cancel = commands.create('run.cancel', {})
    expect([resolve, retry, cancel].map(getAgentCommandActionKey)).toEqual([
      getAgentActionKey({ runId: 'r1', type: 'approval.resolve', entityId: 'a1' }),
      getAgentActionKey({ runId: 'r1', type: 'tool.retry', entityId: 't1' }),
      getAgentActionKey({ runId: 'r1', type: 'run.cancel' }),
    ])
    expect(getAgentCommandKey(resolve)).toBe(resolve.commandId)
  })
})
