import type { Store, UnknownAction } from '@reduxjs/toolkit'
import { ActionCreators, instrument, type LiftedState } from '@redux-devtools/instrument'
import { replayAgentEvents } from 'redux-agent'
import { createGate } from 'redux-agent/testing'
import { describe, expect, it } from 'vitest'
import { appTouched, expectSilentConsole } from './createHarness.ts'
import { createResumableRun } from './createResumableRun.ts'
import { createShortRun } from './createRunEvents.ts'

expectSilentConsole()

const events = createShortRun('r1')

/** A run in a store with DevTools whose first wire breaks after three events. */
function createTravelled(options: Parameters<typeof createResumableRun>[0] = {}) {
  const harness = createResumableRun({
    events,
    plan: ({ index }) => (index === 0 ? { cutAfterChunks: 3 } : {}),
    ...options,
    harness: { enhancer: instrument() as never },
  })
  const { store } = harness
  const lifted = (store as unknown as { liftedStore: Store<LiftedState<unknown, UnknownAction, null>> }).liftedStore
  const devTools = (action: unknown) => void lifted.dispatch(action as never)
  return {
    ...harness,
    devTools,
    toPast: () => devTools(ActionCreators.jumpToState(1)),
    toPresent: () => devTools(ActionCreators.jumpToState(lifted.getState().stagedActionIds.length - 1)),
    idOf(type: string) {
      const { actionsById } = lifted.getState()
      return Number(Object.keys(actionsById).findLast((id) => actionsById[Number(id)]!.action.type === type))
    },
  }
}

describe('while DevTools shows a past state', () => {
  it('a lost wire is taken up again from the true cursor, and all is there on the return', async () => {
    const travel = createTravelled()
    const task = travel.start()
    await travel.rest()
    travel.toPast()
    expect(travel.connection('r1')).toBeUndefined()
    await travel.retryAfter(500)
    await task.unwrap()
    expect(travel.opened()).toEqual(['open', '2'])
    expect(travel.state().runs).toEqual({})
    travel.toPresent()
    expect(travel.state()).toEqual(replayAgentEvents(events))
    expect(travel.connection('r1')).toMatchObject({ state: 'idle', cursor: '5' })
  })

  it('a wire that breaks is waited for, and is not tried twice', async () => {
    const gate = createGate()
    const travel = createTravelled({
      steps: [...events.slice(0, 2).map((event) => ({ events: [event] })), { gate }, { events: [events[2]!] }],
    })
    const task = travel.start()
    await travel.rest()
    travel.toPast()
    gate.open()
    await travel.rest()
    for (let jump = 0; jump < 3; jump += 1) {
      travel.toPresent()
      travel.toPast()
    }
    expect(travel.delays()).toEqual([500])
    expect(travel.opened()).toEqual(['open'])
    travel.toPresent()
    expect(travel.connection('r1')).toMatchObject({ state: 'reconnecting', attempt: 1 })
    travel.store.dispatch(travel.agent.actions.abortRun({ runId: 'r1' }))
    await task.unwrap()
  })

  it('nothing is taken up by hand', async () => {
    const travel = createTravelled({ reconnect: false })
    await travel.start().unwrap()
    travel.toPast()
    await expect(travel.resume().unwrap()).rejects.toMatchObject({ code: 'time_travel' })
    expect(travel.opened()).toEqual(['open'])
    travel.toPresent()
    await travel.resume().unwrap()
    expect(travel.opened()).toEqual(['open', '2'])
    expect(travel.state()).toEqual(replayAgentEvents(events))
  })
})

describe('a history that DevTools rewrites', () => {
  it('sends nothing, and what it took away is there again with the next event, cursor and all', async () => {
    const travel = createTravelled()
    const task = travel.start()
    await travel.rest()
    travel.devTools(ActionCreators.toggleAction(travel.idOf('agent/eventsReceived')))
    travel.devTools(ActionCreators.toggleAction(travel.idOf('agent/runRequested')))
    await travel.rest()
    expect(travel.opened()).toEqual(['open'])
    await travel.retryAfter(500)
    await task.unwrap()
    expect(travel.opened()).toEqual(['open', '2'])
    expect(travel.state()).toEqual(replayAgentEvents(events))
    expect(travel.connection('r1')).toMatchObject({ state: 'idle', cursor: '5' })
  })

  it('repeats no resume', async () => {
    const travel = createTravelled()
    const task = travel.start()
    await travel.retryAfter(500)
    await task.unwrap()
    travel.devTools(ActionCreators.toggleAction(travel.idOf('agent/eventsReceived')))
    travel.devTools(ActionCreators.toggleAction(travel.idOf('agent/eventsReceived')))
    travel.devTools(ActionCreators.jumpToAction(travel.idOf('agent/runRequested')))
    travel.toPresent()
    travel.store.dispatch(appTouched())
    await travel.rest()
    expect(travel.opened()).toEqual(['open', '2'])
    expect(travel.state()).toEqual(replayAgentEvents(events))
  })
})
