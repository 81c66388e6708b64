import { replayAgentEvents } from 'redux-agent'
import { describe, expect, it } from 'vitest'
import { expectSilentConsole } from '../store/createHarness.ts'
import { createEndpointApp, settle } from './support/createEndpointApp.tsx'
import { createRunHost } from './support/createRunHost.ts'
import { holdTestClock } from './support/holdTestClock.ts'

holdTestClock()
expectSilentConsole()

function createFollower(options: Parameters<typeof createEndpointApp>[1] = {}) {
  const host = createRunHost()
  const run = host.createRun('r1', 'c1')
  const app = createEndpointApp(host, { keepUnusedDataFor: 0, ...options })
  const { api, store } = app
  return {
    ...app,
    host,
    run,
    follow: (runId = 'r1') => store.dispatch(api.endpoints.followRun.initiate(runId)),
    entry: (runId = 'r1') => api.endpoints.followRun.select(runId)(store.getState()),
    expectWhole: (runId = 'r1') => {
      const { runs, messages, order } = app.state('c1')
      expect({ runs, messages, order }).toMatchObject({
        runs: replayAgentEvents([...host.logOf(runId)]).runs,
        messages: replayAgentEvents([...host.logOf(runId)]).messages,
      })
    },
  }
}

describe('a run that somebody else drives', () => {
  it('is replayed and then followed live to its end, without a seam', async () => {
    const { host, run, follow, entry, expectWhole } = createFollower()
    run.speak('What was said before. ')
    const subscription = follow()
    await settle()
    run.say('message.delta', { messageId: 'm1', delta: 'And what comes now.' })
    await settle()
    expect(entry().data).toMatchObject({ runId: 'r1', sessionId: 'c1', status: 'running', connection: 'connected' })
    run.end()
    await settle()
    expect(entry().data).toMatchObject({ status: 'completed', connection: 'idle', lastSequence: host.logOf('r1').length })
    expectWhole()
    subscription.unsubscribe()
    await settle()
    expect(host.wireOf('r1')).toEqual({ opened: 1, closed: 1, atOnce: 1 })
  })

  it('is read once, however many follow it', async () => {
    const { host, run, follow, expectWhole } = createFollower()
    run.speak('Some text.')
    const subscriptions = [follow(), follow(), follow()]
    await settle()
    subscriptions[0]!.unsubscribe()
    subscriptions[1]!.unsubscribe()
    await settle()
    run.end()
    await settle()
    expectWhole()
    expect(host.wireOf('r1').opened).toBe(1)
  })

  it('closes its wire with the last who follows, and is let go of a little later', async () => {
    const { host, run, follow, state, fireTimers } = createFollower()
    run.speak('Some text.')
    const subscription = follow()
    await settle()
    subscription.unsubscribe()
    await settle()
    expect(host.wireOf('r1')).toEqual({ opened: 1, closed: 1, atOnce: 1 })
    expect(Object.keys(state('c1').runs)).toEqual(['r1'])
    fireTimers(1000)
    expect(state('c1').runs).toEqual({})
    expect(state('c1').order).toEqual([])
  })

  it('goes on where it stood when somebody follows it again at once', async () => {
    const { host, run, follow, expectWhole } = createFollower()
    run.speak('Some text.')
    const first = follow()
    await settle()
    first.unsubscribe()
    await settle()
    run.say('message.delta', { messageId: 'm1', delta: 'Said meanwhile.' })
    const second = follow()
    await settle()
    run.end()
    await settle()
    expectWhole()
    second.unsubscribe()
    await settle()
    const paths = host.requestsOf('/r1/stream').map(({ path }) => path.split('after=')[1])
    expect(paths).toEqual(['0', '6'])
    expect(host.wireOf('r1')).toEqual({ opened: 2, closed: 2, atOnce: 1 })
  })

  it('opens no second stream when it is refetched', async () => {
    const { host, run, follow } = createFollower()
    run.speak('Some text.')
    const subscription = follow()
    await settle()
    await subscription.refetch()
    await subscription.refetch()
    await settle()
    expect(host.wireOf('r1').opened).toBe(1)
  })

  it('takes up a wire that was cut, after its last event', async () => {
    const { host, run, follow, fireTimers, expectWhole, entry } = createFollower()
    run.speak('Some text.')
    follow()
    await settle()
    run.cut()
    await settle()
    expect(entry().data!.connection).toBe('reconnecting')
    run.say('message.delta', { messageId: 'm1', delta: 'Said meanwhile.' })
    fireTimers(10)
    await settle()
    run.end()
    await settle()
    expectWhole()
    expect(host.wireOf('r1')).toEqual({ opened: 2, closed: 2, atOnce: 1 })
  })

  it('is looked at again where its wire was lost for long, and where it waits for a person', async () => {
    const { host, run, follow, fireTimers, entry, expectWhole } = createFollower()
    run.speak('Some text.')
    const subscription = follow()
    await settle()
    host.interrupt('r1')
    for (const delay of [10, 20]) {
      host.setReachable(false)
      await settle()
      fireTimers(delay)
    }
    await settle()
    expect(entry().data!.connection).toBe('failed')
    host.setReachable(true)
    host.takeUp('r1')
    fireTimers(15_000)
    await settle()
    expect(entry().data!.connection).toBe('connected')
    run.end()
    await settle()
    expectWhole()
    subscription.unsubscribe()
  })

  it('takes no command from here', async () => {
    const { run, follow, api, store } = createFollower()
    run.speak('Some text.')
    follow()
    await settle()
    const { error } = await store.dispatch(
      api.endpoints.sendCommand.initiate({ type: 'run.cancel', runId: 'r1', payload: {} }),
    )
    expect(error).toMatchObject({ status: 'CUSTOM_ERROR', data: { code: 'unsupported_capability', retryable: false } })
  })

  it('is one of many that are followed at once, in one session and in several', async () => {
    const { host, store, api, state } = createFollower()
    const runs = Array.from({ length: 20 }, (_, index) => host.createRun(`x${index}`, `s${index % 4}`))
    const subscriptions = runs.map((_, index) => store.dispatch(api.endpoints.followRun.initiate(`x${index}`)))
    await settle()
    for (const run of runs) run.speak('Something to follow.')
    for (const run of runs) run.end()
    await settle(60)
    for (const index of runs.keys()) {
      expect(state(`s${index % 4}`).runs[`x${index}`]!.status).toBe('completed')
    }
    for (const subscription of subscriptions) subscription.unsubscribe()
    await settle()
    expect(host.count()).toEqual({ opened: 20, closed: 20 })
  })

  it('survives a reset of the api: nothing is left open, and who follows still goes on where it stood', async () => {
    const { host, run, follow, store, api, expectWhole } = createFollower({ keepUnusedDataFor: 60 })
    run.speak('Some text.')
    follow()
    await settle()
    store.dispatch(api.util.resetApiState())
    await settle()
    expect(host.wireOf('r1')).toEqual({ opened: 1, closed: 1, atOnce: 1 })
    follow()
    await settle()
    run.end()
    await settle()
    expectWhole()
    expect(host.wireOf('r1')).toEqual({ opened: 2, closed: 2, atOnce: 1 })
  })
})

describe('a run that was started here', () => {
  it('shares its one wire with those who follow it, and goes on without them', async () => {
    const { host, api, store, follow, state } = createFollower()
    const started = await store.dispatch(
      api.endpoints.startRun.initiate({ sessionId: 'c9', input: { message: 'Hello' }, runId: 'own' }),
    )
    expect(started.data).toEqual({ runId: 'own', sessionId: 'c9' })
    const subscription = follow('own')
    await settle()
    subscription.unsubscribe()
    await settle()
    const run = host.startedRun('own')
    run.speak('It goes on.')
    run.end()
    await settle()
    expect(state('c9').runs.own!.status).toBe('completed')
    expect(host.wireOf('own')).toEqual({ opened: 1, closed: 1, atOnce: 1 })
    expect(host.requestsOf('/own/stream')).toEqual([])
  })

  it('is not started twice under one id', async () => {
    const { host, api, store } = createFollower()
    const arg = { sessionId: 'c9', input: { message: 'Hello' }, runId: 'own' }
    await Promise.all([
      store.dispatch(api.endpoints.startRun.initiate(arg)),
      store.dispatch(api.endpoints.startRun.initiate(arg)),
    ])
    await settle()
    expect(host.wireOf('own').opened).toBe(1)
  })

  it('says why it did not start', async () => {
    const { host, api, store, fireTimers } = createFollower()
    host.setReachable(false)
    const starting = store.dispatch(
      api.endpoints.startRun.initiate({ sessionId: 'c9', input: { message: 'Hello' }, provider: 'host' }),
    )
    for (const delay of [10, 20]) {
      await settle()
      fireTimers(delay)
    }
    const { error } = await starting
    expect(error).toMatchObject({ status: 'CUSTOM_ERROR', data: { code: 'network' } })
    const unknown = await store.dispatch(
      api.endpoints.startRun.initiate({ sessionId: 'c9', input: {}, provider: 'none' }),
    )
    expect(unknown.error).toMatchObject({ data: { code: 'unknown_provider' } })
  })
})
