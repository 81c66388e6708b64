import { act, render, screen } from '@testing-library/react'
import { StrictMode, useState, type ReactNode } from 'react'
import { afterEach, describe, expect, it } from 'vitest'
import { expectSilentConsole } from '../store/createHarness.ts'
import { createEndpointApp, settle } from './support/createEndpointApp.tsx'
import { createRunHost } from './support/createRunHost.ts'
import { holdTestClock } from './support/holdTestClock.ts'

holdTestClock()
expectSilentConsole()
afterEach(() => document.body.replaceChildren())

const calm = (turns?: number) => act(() => settle(turns))

function createWatch(options: Parameters<typeof createEndpointApp>[1] = { keepUnusedDataFor: 0 }) {
  const host = createRunHost()
  const runs = { r1: host.createRun('r1', 'c1'), r2: host.createRun('r2', 'c2') }
  runs.r1.speak('Told to everyone.')
  runs.r2.speak('Another one.')
  const app = createEndpointApp(host, options)
  const { agent, api, wrapper } = app

  function Watch({ runId, skip = false }: { runId: string; skip?: boolean }) {
    const { data, isLoading, error } = api.useFollowRunQuery(runId, { skip, refetchOnReconnect: true })
    const items = agent.useAgentTimeline({ sessionId: data?.sessionId ?? '', runId })
    const told = items.map((item) => (item.kind === 'message' ? String(item.entity.content) : '')).join('/')
    return (
      <p>
        {isLoading ? 'loading' : ''} {error ? 'failed' : ''} {data?.status} {data?.connection} {told}
      </p>
    )
  }
  const show = (element: ReactNode) => render(element, { wrapper })
  return { ...app, host, runs, Watch, show }
}

const text = () => screen.getByRole('paragraph').textContent.trim().replace(/ +/g, ' ')

describe('a component that follows a run', () => {
  it('shows that it loads, then what is said, then the end', async () => {
    const { Watch, show, runs, host } = createWatch()
    const { unmount } = show(<Watch runId="r1" />)
    expect(text()).toBe('loading')
    await calm()
    expect(text()).toBe('running connected Hello?/Told to everyone.')
    runs.r1.end()
    await calm()
    expect(text()).toBe('completed idle Hello?/Told to everyone.')
    unmount()
    await calm()
    expect(host.count()).toEqual({ opened: 1, closed: 1 })
  })

  it('says what the server refused', async () => {
    const { Watch, show } = createWatch()
    show(<Watch runId="none" />)
    await calm()
    expect(text()).toBe('failed')
  })

  it('opens one wire under StrictMode, and leaves none open', async () => {
    const { Watch, show, host } = createWatch()
    const { unmount } = show(
      <StrictMode>
        <Watch runId="r1" />
        <Watch runId="r1" />
      </StrictMode>,
    )
    await calm()
    expect(host.wireOf('r1')).toEqual({ opened: 1, closed: 0, atOnce: 1 })
    unmount()
    await calm()
    expect(host.wireOf('r1')).toEqual({ opened: 1, closed: 1, atOnce: 1 })
  })

  it('turns to another run and leaves the first', async () => {
    const { Watch, show, host } = createWatch()
    const { rerender, unmount } = show(<Watch runId="r1" />)
    await calm()
    rerender(<Watch runId="r2" />)
    await calm()
    expect(text()).toBe('running connected Hello?/Another one.')
    expect(host.wireOf('r1')).toEqual({ opened: 1, closed: 1, atOnce: 1 })
    expect(host.wireOf('r2')).toEqual({ opened: 1, closed: 0, atOnce: 1 })
    rerender(<Watch runId="r2" skip />)
    await calm()
    expect(host.wireOf('r2')).toEqual({ opened: 1, closed: 1, atOnce: 1 })
    rerender(<Watch runId="r2" />)
    await calm()
    unmount()
    await calm()
    expect(host.wireOf('r2')).toEqual({ opened: 2, closed: 2, atOnce: 1 })
  })

  it('mounts and unmounts as fast as it likes', async () => {
    const { Watch, show, host, runs, state } = createWatch()
    for (let time = 0; time < 10; time += 1) {
      const { unmount } = show(<Watch runId="r1" />)
      await calm(time % 4)
      unmount()
      if (time % 3 === 0) await calm(time % 5)
    }
    show(<Watch runId="r1" />)
    await calm()
    runs.r1.end()
    await calm()
    expect(state('c1').runs.r1!.status).toBe('completed')
    const { opened, closed, atOnce } = host.wireOf('r1')
    expect([opened, atOnce]).toEqual([closed, 1])
  })

  it('opens no second wire when the host is online again', async () => {
    const { Watch, show, host } = createWatch()
    show(<Watch runId="r1" />)
    await calm()
    await act(async () => window.dispatchEvent(new Event('online')))
    await calm()
    expect(host.wireOf('r1').opened).toBe(1)
  })

  it('goes on after a reset of the api, with all that was there', async () => {
    const { Watch, show, host, store, api } = createWatch()
    show(<Watch runId="r1" />)
    await calm()
    await act(async () => void store.dispatch(api.util.resetApiState()))
    await calm()
    expect(text()).toBe('running connected Hello?/Told to everyone.')
    const { opened, closed, atOnce } = host.wireOf('r1')
    expect([opened - closed, atOnce]).toEqual([1, 1])
    expect(host.requestsOf('/r1/stream').at(-1)!.path).toContain(`after=${host.logOf('r1').length}`)
  })

  it('may be one of two, of which one goes', async () => {
    const { Watch, show, host, runs } = createWatch()
    function Both() {
      const [isBoth, setBoth] = useState(true)
      return (
        <>
          <Watch runId="r1" />
          {isBoth && <button onClick={() => setBoth(false)}>less</button>}
          {isBoth && <Second />}
        </>
      )
    }
    const Second = () => <aside>{isWatched()}</aside>
    const isWatched = () => 'second'
    show(<Both />)
    await calm()
    await act(async () => screen.getByRole('button').click())
    await calm()
    runs.r1.end()
    await calm()
    expect(text()).toContain('completed')
    expect(host.wireOf('r1').opened).toBe(1)
  })
})
