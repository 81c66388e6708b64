import {
  AgentModuleError,
  AgentProtocolError,
  createAgentStore,
  createInitialAgentState,
  replayAgentEvents,
} from 'redux-agent'
import { describe, expect, it, vi } from 'vitest'
import { createEvent } from './createScript.ts'

const started = createEvent('run.started', {}, { sequence: 0 })
const task = createEvent('task.created', { taskId: 't', title: 'Look' }, { sequence: 1 })
const refused = createEvent('task.completed', { taskId: 'other' }, { sequence: 2 })

describe('createAgentStore', () => {
  it('begins with the initial state, or with the one it is given', () => {
    expect(createAgentStore().getSnapshot()).toEqual(createInitialAgentState())
    const initialState = replayAgentEvents([started])
    expect(createAgentStore({ initialState }).getSnapshot()).toBe(initialState)
  })

  it('folds events as the reducer does and tells its listeners of each change', () => {
    const store = createAgentStore()
    const listener = vi.fn()
    store.subscribe(listener)
    store.dispatch(started)
    store.dispatch(task)
    expect(store.getSnapshot()).toEqual(replayAgentEvents([started, task]))
    expect(listener).toHaveBeenCalledTimes(2)
  })

  it('tells of a batch once, and not of what changes nothing', () => {
    const store = createAgentStore()
    const listener = vi.fn(() => expect(store.getSnapshot()).toEqual(replayAgentEvents([started, task])))
    store.subscribe(listener)
    store.batch([started, task])
    store.batch([started, task])
    store.dispatch(task)
    store.batch([])
    expect(listener).toHaveBeenCalledTimes(1)
  })

  it('records a refused event where nothing else is asked for', () => {
    const store = createAgentStore({ protocolMode: 'record' })
    store.batch([started, refused, task])
    expect(store.getSnapshot().issues).toMatchObject([{ code: 'missing_entity', eventId: refused.eventId }])
    expect(store.getSnapshot().order).toHaveLength(1)
  })

  it('calls a listener that subscribed twice twice, until each has left', () => {
    const store = createAgentStore()
    const listener = vi.fn()
    const leave = store.subscribe(listener)
    const leaveToo = store.subscribe(listener)
    store.dispatch(started)
    expect(listener).toHaveBeenCalledTimes(2)
    leave()
    leave()
    store.dispatch(task)
    expect(listener).toHaveBeenCalledTimes(3)
    leaveToo()
    store.reset()
    expect(listener).toHaveBeenCalledTimes(3)
  })

  it('passes over no listener where one leaves while it is told', () => {
    const store = createAgentStore()
    const told: string[] = []
    const leave = store.subscribe(() => {
      told.push('first')
      leave()
    })
    store.subscribe(() => void told.push('second'))
    store.dispatch(started)
    store.dispatch(task)
    expect(told).toEqual(['first', 'second', 'second'])
  })

  it('gives the state after each change, also where nothing changed', () => {
    const store = createAgentStore()
    expect(store.dispatch(started)).toBe(store.getSnapshot())
    const state = store.batch([task, refused])
    expect(state).toBe(store.getSnapshot())
    expect(store.dispatch(task)).toBe(state)
    expect(store.batch([])).toBe(state)
    expect(store.reset()).toEqual(createInitialAgentState())
    expect(store.reset(state)).toBe(state)
  })

  it('takes events from a listener', () => {
    const store = createAgentStore()
    store.subscribe(() => store.dispatch(task))
    store.dispatch(started)
    expect(store.getSnapshot()).toEqual(replayAgentEvents([started, task]))
  })

  it('is put back by reset, or to another state, and tells of it', () => {
    const store = createAgentStore()
    const listener = vi.fn()
    store.batch([started, task])
    store.subscribe(listener)
    store.reset()
    expect(store.getSnapshot()).toEqual(createInitialAgentState())
    const state = replayAgentEvents([started])
    store.reset(state)
    expect(store.getSnapshot()).toBe(state)
    expect(listener).toHaveBeenCalledTimes(2)
  })

  it('is over after destroy: nobody is told, and what would change it throws', () => {
    const store = createAgentStore()
    const listener = vi.fn()
    store.subscribe(listener)
    store.dispatch(started)
    const last = store.getSnapshot()
    store.destroy()
    store.destroy()
    const uses = [() => store.dispatch(task), () => store.batch([]), () => store.reset(), () => store.subscribe(listener)]
    for (const use of uses) {
      expect(use).toThrow(/^AgentStore has been destroyed\./)
      expect(use).toThrow(expect.objectContaining({ code: 'store_destroyed' }))
      expect(use).toThrow(AgentModuleError)
    }
    expect(store.getSnapshot()).toBe(last)
    expect(listener).toHaveBeenCalledTimes(1)
  })
})

it('tells nobody any more once a listener has destroyed the store', () => {
  const store = createAgentStore()
  const later = vi.fn()
  store.subscribe(() => store.destroy())
  store.subscribe(later)
  const state = store.dispatch(started)
  expect(store.getSnapshot()).toBe(state)
  expect(later).not.toHaveBeenCalled()
})

describe('a strict store', () => {
  it('throws the first refused event of a batch and commits nothing of it', () => {
    const store = createAgentStore({ protocolMode: 'strict' })
    store.dispatch(started)
    const before = store.getSnapshot()
    const listener = vi.fn()
    store.subscribe(listener)
    let thrown: unknown
    try {
      store.batch([task, refused, { ...refused, sequence: 0, eventId: 'late' }])
    } catch (error) {
      thrown = error
    }
    expect(thrown).toBeInstanceOf(AgentProtocolError)
    expect(thrown).toMatchObject({
      name: 'AgentProtocolError',
      code: 'missing_entity',
      issue: { code: 'missing_entity', eventId: refused.eventId, runId: 'r1' },
    })
    expect((thrown as AgentProtocolError).message).toBe((thrown as AgentProtocolError).issue.message)
    expect(store.getSnapshot()).toBe(before)
    expect(listener).not.toHaveBeenCalled()
  })

  it('absorbs what came before, and goes on after an error', () => {
    const store = createAgentStore({ protocolMode: 'strict' })
    store.batch([started, started])
    expect(() => store.dispatch(refused)).toThrow(AgentProtocolError)
    expect(() => store.dispatch(refused), 'it was not remembered').toThrow(AgentProtocolError)
    store.dispatch(task)
    expect(store.getSnapshot()).toEqual(replayAgentEvents([started, task]))
  })
})
