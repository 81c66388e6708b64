import { createScriptedProvider } from 'redux-agent/testing'
import { describe, expect, it } from 'vitest'
import { createHarness, endOfTask, expectSilentConsole } from './createHarness.ts'

expectSilentConsole()

const provider = createScriptedProvider({ steps: [] })
const session = { active: {}, settled: {}, activePositions: [], settledPositions: [] }
const commands = { commandStates: {}, latestCommandByAction: {}, endedRuns: [] }
const connection = { runId: 'r', sessionId: 's1', providerId: 'scripted', state: 'idle' }

/** As the runtime makes it, of a session without any event. */
const { session: emptySession } = (() => {
  const { store, agent } = createHarness({ providers: [provider] })
  store.dispatch(agent.events.eventsReceived({ sessionId: 's1', events: [] }, 1))
  return { session: agent.selectors.selectSession(store.getState(), 's1') }
})()

const payloads: readonly unknown[] = [
  ...[undefined, null, 1, 'x', [], {}, { sessionId: 's1' }, { runId: 'r' }, { instance: 1 }],
  ...[{ runId: '', sessionId: '', providerId: '', at: 1 }, { runId: 'r', sessionId: 's1', providerId: 'p', at: 'now' }],
  ...[{ connection: null }, { connection: {}, isLatest: true }, { connection: { ...connection, state: 'constructor' } }],
  ...[{ runId: 'r', at: 1, state: '__proto__' }, { runId: 'r', at: 1, state: null }, { runId: 5, at: 1, sessionId: 5 }],
  ...[{ sessionId: 's1', session: {} }, { sessionId: 's1', session, commands: {}, connections: [] }],
  { sessionId: 's1', session, commands, connections: [{}] },
  { sessionId: 's1', session, commands, connections: [] },
  { sessionId: 's1', session: emptySession, commands: { ...commands, commandStates: { a: {} } }, connections: [] },
]

const names = Object.keys(createHarness().agent.events)

describe('an action of the runtime’s that its creator never made, as one that was imported', () => {
  it.each(names)('throws nothing and leaves a runtime that works: %s', async (name) => {
    for (const payload of payloads) {
      const { store, agent, state, selectors } = createHarness({ providers: [provider] })
      store.dispatch({ type: `agent/${name}`, payload })
      await endOfTask()
      expect(selectors.selectMessages(store.getState(), 's1')).toEqual([])
      const task = store.dispatch(agent.actions.startRun({ sessionId: 's1', provider: 'scripted', input: null }))
      expect(await task).toEqual({ data: { runId: task.runId } })
      expect(state().issues).toEqual([])
    }
  })
})

describe('what is no action at all', () => {
  it.each([null, undefined, 1, 'x'])('is refused in the words of Redux: %s', (action) => {
    const { store } = createHarness({ providers: [provider] })
    expect(() => store.dispatch(action as never)).toThrow('Actions must be plain objects.')
  })
})
