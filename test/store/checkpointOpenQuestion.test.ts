import { createGate } from 'redux-agent/testing'
import { describe, expect, it } from 'vitest'
import { createStorage } from './createCheckpointPage.ts'
import { expectSilentConsole } from './createHarness.ts'
import { createResumableRun } from './createResumableRun.ts'
import { createParkedRun } from './createRunEvents.ts'

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
