import { createGate } from 'redux-agent/testing'
import { describe, expect, it } from 'vitest'
import { createStorage } from './createCheckpointPage.ts'
import { expectSilentConsole } from './createHarness.ts'
import { createResumableRun } from './createResumableRun.ts'
import { createParkedRun, createShortRun } from './createRunEvents.ts'

expectSilentConsole()

describe('a run that asked while its stream was open', () => {
  type Stored = { connectionByRun: Record<string, Record<string, unknown>> }

  /** Restores it from what the page before stored, changed. */
  async function restore(change: (stored: Stored) => string) {
    const storage = createStorage()
    const capabilities = { sequence: 'increasing' } as const
    const steps = [{ events: createParkedRun('r1') }, { gate: createGate() }]
    const first = createResumableRun({ steps, capabilities, harness: { ids: ['r1'], checkpointStorage: storage } })
    await first.store.dispatch(first.agent.actions.openSession({ sessionId: 's1' })).unwrap()
    void first.start()
    await first.rest()
    first.fireFrame()
    first.hide()
    const [[key, text]] = [...storage.texts] as [[string, string]]
    storage.texts.set(key, change(JSON.parse(text) as Stored))
    const next = createResumableRun({ steps, capabilities, harness: { checkpointStorage: storage } })
    const opening = next.store.dispatch(next.agent.actions.openSession({ sessionId: 's1' })).unwrap()
    const outcome = await opening.then(() => 'restored', (error: { code: string }) => error.code)
    await next.rest()
    return { outcome, opened: next.opened(), connection: next.connection }
  }

  const withOpen = (isOpen: unknown) => (stored: Stored) => {
    stored.connectionByRun.r1!.isOpen = isOpen
    return JSON.stringify(stored)
  }
  const withRun = (runId: string) => (stored: Stored) =>
    JSON.stringify(stored).replace('"connectionByRun":{', `"connectionByRun":{${JSON.stringify(runId)}:{"providerId":"scripted","isOpen":true,"startedAt":1},`)

  it('is taken up again, and parked where an older checkpoint does not say so', async () => {
    expect(await restore((stored) => JSON.stringify(stored))).toMatchObject({ outcome: 'restored', opened: ['0'] })
    for (const isOpen of [undefined, false]) {
      const { opened, connection } = await restore(withOpen(isOpen))
      expect(opened).toEqual([])
      expect(connection('r1')).toMatchObject({ state: 'idle' })
    }
  })

  it.each([['true'], [1], [null], [[]]])('is not restored where that is no truth value: %j', async (isOpen) => {
    expect(await restore(withOpen(isOpen))).toMatchObject({ outcome: 'invalid_checkpoint', opened: [] })
  })

  it.each(['r0', '__proto__', 'constructor'])('is taken up all the same where another is said to be open, of which nothing is known: %s', async (runId) => {
    const { outcome, opened, connection } = await restore(withRun(runId))
    expect({ outcome, opened }).toEqual({ outcome: 'restored', opened: ['0'] })
    expect(connection(runId)).toMatchObject({ state: 'unrecoverable', canResume: false })
  })
})

describe('a run that waits for a person, and is not the latest any more when it is restored', () => {
  it('stays parked, is not said to be lost, and goes on by its answer', async () => {
    const storage = createStorage()
    const scripts = [createParkedRun('r1'), createShortRun('r2')]
    const before = createResumableRun({
      steps: () => [{ events: scripts.shift()! }],
      harness: { checkpointStorage: storage, ids: ['r1', 'r2'] },
    })
    await before.store.dispatch(before.agent.actions.openSession({ sessionId: 's1' })).unwrap()
    await before.start()
    expect(before.connection('r1')).toMatchObject({ state: 'idle' })
    await before.start()
    before.hide()
    await before.rest()
    const next = createResumableRun({
      steps: [...createParkedRun('r1').map((event) => ({ events: [event] })), { gate: createGate() }],
      commands: { 'approval.resolve': [] },
      harness: { checkpointStorage: storage, ids: ['c1'] },
    })
    const { actions } = next.agent
    await next.store.dispatch(actions.openSession({ sessionId: 's1' })).unwrap()
    await next.rest()
    expect(next.connection('r1')).toMatchObject({ state: 'idle' })
    expect(next.connection('r1')).not.toHaveProperty('canResume')
    expect(next.opened()).toEqual([])
    await next.store.dispatch(actions.resolveApproval({ runId: 'r1', approvalId: 'a1', decision: 'approved' })).unwrap()
    await next.rest()
    expect(next.opened()).toHaveLength(1)
  })
})
