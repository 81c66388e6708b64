import type { Store, UnknownAction } from '@reduxjs/toolkit'
import { ActionCreators, instrument, type LiftedState } from '@redux-devtools/instrument'
import { replayAgentEvents } from 'redux-agent'
import { createGate } from 'redux-agent/testing'
import { describe, expect, it } from 'vitest'
import { createStorage } from './createCheckpointPage.ts'
import { expectSilentConsole } from './createHarness.ts'
import { createResumableRun } from './createResumableRun.ts'
import { createShortRun } from './createRunEvents.ts'

expectSilentConsole()

const events = createShortRun('r1')

/** A kept run in a store with DevTools; its wire brings half of its events, the rest when the gate opens. */
async function createTravelled(storage = createStorage()) {
  const gate = createGate()
  const chunks = events.map((event) => ({ events: [event] }))
  const harness = createResumableRun({
    steps: [...chunks.slice(0, 3), { gate }, ...chunks.slice(3)],
    harness: { ids: ['r1'], enhancer: instrument() as never, checkpointStorage: storage },
  })
  const { store, agent } = harness
  const lifted = (store as unknown as { liftedStore: Store<LiftedState<unknown, UnknownAction, null>> }).liftedStore
  const open = () => store.dispatch(agent.actions.openSession({ sessionId: 's1' }))
  return {
    ...harness,
    storage,
    gate,
    open,
    toPast: () => void lifted.dispatch(ActionCreators.jumpToState(0) as never),
    toPresent: () =>
      void lifted.dispatch(ActionCreators.jumpToState(lifted.getState().stagedActionIds.length - 1) as never),
  }
}

describe('while DevTools shows a past state', () => {
  it('what is true is saved, never what is shown', async () => {
    const travel = await createTravelled()
    await travel.open().unwrap()
    void travel.start()
    await travel.rest()
    travel.toPast()
    expect(travel.state().runs).toEqual({})
    travel.hide()
    expect(travel.storage.saved.at(-1)!.state.lastSequenceByRun).toEqual({ r1: 3 })
    travel.fireFrame()
    travel.gate.open()
    await travel.rest()
    travel.hide()
    await travel.rest()
    expect(travel.state().runs).toEqual({})
    expect(travel.storage.saved.at(-1)!.state).toEqual(replayAgentEvents(events))
    travel.toPresent()
    expect(travel.state()).toEqual(replayAgentEvents(events))

    const next = await createTravelled(travel.storage)
    await next.open().unwrap()
    expect(next.state()).toEqual(replayAgentEvents(events))
    expect(next.opened()).toEqual([])
  })

  it('a jump writes nothing, reads nothing and sends nothing', async () => {
    const travel = await createTravelled()
    await travel.open().unwrap()
    void travel.start()
    await travel.rest()
    travel.hide()
    const before = travel.storage.saved.length
    for (let jump = 0; jump < 3; jump += 1) {
      travel.toPast()
      await travel.rest()
      travel.toPresent()
      await travel.rest()
    }
    expect(travel.storage.saved).toHaveLength(before)
    expect(travel.opened()).toEqual(['open'])
  })

  it('no session is restored or removed', async () => {
    const travel = await createTravelled()
    void travel.start()
    await travel.rest()
    travel.toPast()
    await expect(travel.open().unwrap()).rejects.toMatchObject({ code: 'time_travel' })
    const { store, agent } = travel
    const removal = store.dispatch(agent.actions.removeSession({ sessionId: 's1' }))
    await expect(removal.unwrap()).rejects.toMatchObject({ code: 'time_travel' })
    travel.toPresent()
    await travel.open().unwrap()
    expect(travel.state().runs.r1!.status).toBe('running')
  })

  it('what was being read is there on the return', async () => {
    const first = await createTravelled()
    await first.open().unwrap()
    void first.start()
    first.gate.open()
    await first.rest()
    let open!: () => void
    first.storage.gate = new Promise<void>((resolve) => (open = resolve))
    const travel = await createTravelled(first.storage)
    const opened = travel.open()
    travel.toPast()
    open()
    await opened.unwrap()
    expect(travel.state().runs).toEqual({})
    travel.toPresent()
    expect(travel.state()).toEqual(replayAgentEvents(events))
  })

  /** A page whose run was under way when it was left, and which is being read while a past is shown. */
  async function createReadInPast() {
    const first = await createTravelled()
    await first.open().unwrap()
    void first.start()
    await first.rest()
    first.hide()
    let open!: () => void
    first.storage.gate = new Promise<void>((resolve) => (open = resolve))
    const travel = await createTravelled(first.storage)
    travel.gate.open()
    const opened = travel.open()
    return { travel, opened, open }
  }

  it('a running run that was being read is not taken up by itself, and goes on by hand after the return', async () => {
    const { travel, opened, open } = await createReadInPast()
    travel.toPast()
    open()
    await opened.unwrap()
    await travel.rest()
    expect(travel.opened()).toEqual([])
    expect(travel.state().runs).toEqual({})
    await expect(travel.resume().unwrap()).rejects.toMatchObject({ code: 'time_travel' })
    travel.toPresent()
    expect(travel.connection('r1')).toMatchObject({ state: 'unrecoverable', canResume: true })
    await travel.resume().unwrap()
    expect(travel.opened()).toHaveLength(1)
    expect(travel.state()).toEqual(replayAgentEvents(events))
  })

  it('a running run that was being read goes on by itself where the person is back before the storage answers', async () => {
    const { travel, opened, open } = await createReadInPast()
    travel.toPast()
    travel.toPresent()
    open()
    await opened.unwrap()
    await travel.rest()
    expect(travel.opened()).toHaveLength(1)
    expect(travel.state()).toEqual(replayAgentEvents(events))
  })

  it('a request that waits for the storage is refused, and sends nothing', async () => {
    const travel = await createTravelled()
    let open!: () => void
    travel.storage.gate = new Promise<void>((resolve) => (open = resolve))
    const opened = travel.open()
    const task = travel.start()
    travel.toPast()
    open()
    await opened.unwrap()
    await expect(task.unwrap()).rejects.toMatchObject({ code: 'time_travel' })
    expect(travel.opened()).toEqual([])
    travel.toPresent()
    expect(travel.state().runs).toEqual({})
  })

  it('a removal that is under way is done, and shows on the return', async () => {
    const travel = await createTravelled()
    await travel.open().unwrap()
    void travel.start()
    await travel.rest()
    travel.hide()
    const removal = travel.store.dispatch(travel.agent.actions.removeSession({ sessionId: 's1' }))
    travel.toPast()
    await removal.unwrap()
    expect(travel.storage.texts.size).toBe(0)
    travel.toPresent()
    expect(travel.state().runs).toEqual({})
    travel.hide()
    await travel.rest()
    expect(travel.storage.texts.size).toBe(0)
  })
})
