import {
  createAgentEventFactory,
  replayAgentEvents,
  type AgentCheckpoint,
  type AgentCheckpointStorage,
  type AgentEvent,
  type AgentState,
} from 'redux-agent'
import { createScriptedProvider } from 'redux-agent/testing'
import { describe, expect, it } from 'vitest'
import { createCheckpoint } from '../checkpoint/createCheckpoint.ts'
import { createStorage } from './createCheckpointPage.ts'
import { expectSilentConsole } from './createHarness.ts'
import { createPage } from './createPage.ts'
import { createRun } from './createRunEvents.ts'

// More than a call can be given arguments.
const many = 130_000

/** The state of a session with so many runs, all of them over. */
function createPast(count: number): AgentState {
  const events = Array.from({ length: count }, (_, index) => {
    const { create } = createAgentEventFactory({ sessionId: 's1', runId: `h${index}`, now: () => 1000 })
    return [create('run.started', {}), create('run.completed', {})] as AgentEvent[]
  })
  return replayAgentEvents(events.flat())
}

/** A page whose runs end at once, kept in this storage. */
function createKept(storage: AgentCheckpointStorage, ids: string[]) {
  const provider = createScriptedProvider({
    steps: (_, { runId }) => {
      const run = createRun(runId)
      return [{ events: [run.create('run.started', {}), run.create('run.completed', {})] }]
    },
  })
  const page = createPage({ fetch, storage, ids, runtime: { providers: [provider] } })
  const { store, agent } = page
  return { ...page, run: () => store.dispatch(agent.actions.startRun({ sessionId: 's1', provider: 'scripted', input: {} })) }
}

describe('a session of many runs', () => {
  expectSilentConsole()

  it('starts another run, which is the latest, whatever their number', async () => {
    const connectionByRun: Record<string, { providerId: string; startedAt?: number }> = Object.fromEntries(
      Array.from({ length: many }, (_, index) => [`h${index}`, { providerId: 'scripted', startedAt: 5000 + index }]),
    )
    // As one that was stored without.
    connectionByRun.h0 = { providerId: 'scripted' }
    const past = createCheckpoint(createPast(many), { connectionByRun })
    const saved: AgentCheckpoint[] = []
    const storage: AgentCheckpointStorage = {
      load: async () => past,
      save: async (checkpoint) => void saved.push(checkpoint),
      remove: async () => undefined,
    }
    const page = createKept(storage, ['r1'])
    await page.open().unwrap()
    await page.run().unwrap()
    await page.rest()
    expect(saved.at(-1)!.connectionByRun!.r1!.startedAt).toBe(5000 + many)
  })

  it('forgets when a run was asked for that it has let go of', async () => {
    const storage = createStorage()
    const page = createKept(storage, ['r1', 'r2', 'r1'])
    await page.open().unwrap()
    const startOf = (runId: string) =>
      storage.saved.findLast(({ connectionByRun }) => connectionByRun![runId])!.connectionByRun![runId]!.startedAt!
    for (const _ of ['r1', 'r2']) await page.run().unwrap()
    await page.rest()
    const earlier = startOf('r1')
    const latest = startOf('r2')
    expect(earlier).toBeLessThan(latest)
    expect(page.store.dispatch(page.agent.actions.releaseRun({ runId: 'r1' }))).toBe(true)
    await page.run().unwrap()
    await page.rest()
    expect(startOf('r1')).toBeGreaterThan(latest)
  })
})
