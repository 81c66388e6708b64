import { act, render, screen } from '@testing-library/react'
import { StrictMode, useMemo } from 'react'
import { AgentTimeline, toTimelineItems } from 'redux-agent/react'
import { afterEach, describe, expect, it } from 'vitest'
import { expectSilentConsole } from '../store/createHarness.ts'
import { createEndpointApp, settle } from './support/createEndpointApp.tsx'
import { createRunHost } from './support/createRunHost.ts'
import { holdTestClock } from './support/holdTestClock.ts'

holdTestClock()
expectSilentConsole()
afterEach(() => document.body.replaceChildren())

type App = ReturnType<typeof createEndpointApp>
const calm = (turns?: number) => act(() => settle(turns))

function createChat(options: Parameters<typeof createEndpointApp>[1] & { hasHistory?: boolean; conversationId?: string } = {}) {
  const { conversationId = 'c1' } = options
  const host = createRunHost()
  const past = host.createRun('past', 'c1')
  past.speak('Said long ago.')
  past.end()
  const app = createEndpointApp(host, options)
  const { agent, api, wrapper, store } = app

  function Chat() {
    const { data } = api.useConversationQuery(conversationId, { skip: options.hasHistory === false })
    const chat = agent.useXChat({ provider: 'host', conversationKey: conversationId, history: data?.messages })
    return (
      <ul>
        {chat.messages.map(({ id, message, status }) => (
          <li key={id} data-id={id} data-status={status}>
            {String(message.content)}
          </li>
        ))}
      </ul>
    )
  }

  async function startRun(text: string, id = 'own') {
    await act(async () => {
      const options = { sessionId: conversationId, provider: 'host', input: { message: text }, runId: id }
      store.dispatch(agent.actions.startRun(options))
      await settle()
    })
    return host.startedRun(id)
  }

  return { ...app, host, Chat, startRun, show: () => render(<Chat />, { wrapper }), readings: () => readingsOf(host) }
}

const readingsOf = (host: ReturnType<typeof createRunHost>) => host.requestsOf('/conversations/c1').length
const rows = () => screen.queryAllByRole('listitem')
const texts = () => rows().map((row) => row.textContent)
const heldRuns = ({ state }: App) => Object.keys(state('c1').runs)

describe('a run that ends live', () => {
  it('moves from the active turn into the read model, in its place, with the same ids and the same nodes', async () => {
    const chat = createChat()
    chat.show()
    await calm()
    expect(texts()).toEqual(['Hello?', 'Said long ago.'])
    const run = await chat.startRun('Hello')
    run.speak('Now it answers.')
    await calm()
    expect(texts()).toEqual(['Hello?', 'Said long ago.', 'Hello?', 'Now it answers.'])
    const nodes = rows()
    const seen = new Set<string>()
    const watch = new MutationObserver(() => seen.add(texts().join('|')))
    watch.observe(document.body, { childList: true, subtree: true, characterData: true })
    expect(chat.readings()).toBe(1)
    run.end()
    await calm(40)
    expect(chat.readings()).toBe(2)
    expect(heldRuns(chat)).toEqual([])
    expect(rows()).toEqual(nodes)
    expect(rows().every((row, index) => row === nodes[index])).toBe(true)
    // No row came, went or changed its text on the way.
    expect([...seen]).toEqual([])
    expect(rows().map((row) => row.dataset.status)).toEqual(['local', 'success', 'local', 'success'])
  })

  it('stays where the read model cannot be read, in its place, until that can be', async () => {
    const chat = createChat()
    chat.show()
    await calm()
    const run = await chat.startRun('Hello')
    run.speak('Now it answers.')
    await calm()
    // Of the reading alone: the wire stays up.
    const { fetch } = chat.host
    expect(fetch).toBeDefined()
    chat.host.setReachable(false)
    run.end()
    await calm()
    expect(heldRuns(chat)).toEqual(['own'])
    expect(texts()).toEqual(['Hello?', 'Said long ago.', 'Hello?', 'Now it answers.'])
    chat.host.setReachable(true)
    await act(async () => {
      await chat.store.dispatch(chat.api.endpoints.conversation.initiate('c1', { forceRefetch: true }))
      await settle()
    })
    expect(heldRuns(chat)).toEqual([])
    expect(texts()).toEqual(['Hello?', 'Said long ago.', 'Hello?', 'Now it answers.'])
  })

  it('stays until the read model has caught up, which is asked again meanwhile', async () => {
    const chat = createChat()
    chat.show()
    await calm()
    const run = await chat.startRun('Hello')
    run.speak('Now it answers.')
    chat.host.setLag(2)
    run.end()
    await calm()
    expect(heldRuns(chat)).toEqual(['own'])
    await act(async () => chat.fireTimers(1000))
    await calm()
    expect(heldRuns(chat)).toEqual(['own'])
    await act(async () => chat.fireTimers(2000))
    await calm()
    expect(heldRuns(chat)).toEqual([])
    expect(texts()).toEqual(['Hello?', 'Said long ago.', 'Hello?', 'Now it answers.'])
  })

  it('is let go of also where its conversation was not known to the server at first', async () => {
    const chat = createChat({ conversationId: 'new' })
    chat.show()
    await calm()
    expect(texts()).toEqual([])
    const run = await chat.startRun('Hello')
    run.speak('Now it answers.')
    await calm()
    const nodes = rows()
    run.end()
    await calm()
    await act(async () => chat.fireTimers(1000))
    await calm()
    expect(chat.state('new').runs).toEqual({})
    expect(texts()).toEqual(['Hello?', 'Now it answers.'])
    expect(rows()).toEqual(nodes)
  })

  it('stays without a read model', async () => {
    const chat = createChat({ hasHistory: false })
    chat.show()
    const run = await chat.startRun('Hello')
    run.speak('Now it answers.')
    run.end()
    await calm()
    expect(heldRuns(chat)).toEqual(['own'])
    expect(chat.readings()).toBe(0)
  })

  it('stays where the app turned that off', async () => {
    const chat = createChat({ reconcile: false })
    chat.show()
    await calm()
    const run = await chat.startRun('Hello')
    run.speak('Now it answers.')
    run.end()
    await calm()
    expect(heldRuns(chat)).toEqual(['own'])
    expect(chat.readings()).toBe(1)
  })

  it('waits for what the app wants to have ready first, and stays where that fails', async () => {
    const asked: unknown[] = []
    let outcome: Promise<unknown> = Promise.reject(new Error('not yet'))
    outcome.catch(() => undefined)
    const chat = createChat({
      beforeRelease(run) {
        asked.push(run)
        return outcome
      },
    })
    chat.show()
    await calm()
    const run = await chat.startRun('Hello')
    run.speak('Now it answers.')
    run.end()
    await calm()
    expect(asked).toContainEqual({ runId: 'own', sessionId: 'c1' })
    expect(heldRuns(chat)).toEqual(['own'])
    outcome = Promise.resolve()
    await act(async () => {
      await chat.store.dispatch(chat.api.endpoints.conversation.initiate('c1', { forceRefetch: true }))
      await settle()
    })
    expect(heldRuns(chat)).toEqual([])
  })

  it('is the newest of as many as are kept where no read model stands behind', async () => {
    const chat = createChat({ hasHistory: false, maxSettledRuns: 2 })
    chat.show()
    for (const id of ['a', 'b', 'c']) {
      const run = await chat.startRun('Hello', id)
      run.speak(`Answer ${id}`)
      run.end()
      await calm()
    }
    expect(heldRuns(chat)).toEqual(['b', 'c'])
    expect(texts()).toEqual(['Hello?', 'Answer b', 'Hello?', 'Answer c'])
  })
})

describe('what is no live end', () => {
  it('reads nothing anew: a replay of a run that was over', async () => {
    const chat = createChat()
    chat.show()
    await calm()
    const before = chat.readings()
    await act(async () => {
      chat.store.dispatch(chat.api.endpoints.followRun.initiate('past'))
      await settle()
    })
    expect(chat.readings()).toBe(before)
    expect(texts()).toEqual(['Hello?', 'Said long ago.'])
  })
})

describe('a timeline with history', () => {
  it('keeps the rows of a run that is let go of', async () => {
    const chat = createChat()
    const { agent, api, wrapper } = chat
    function Timeline() {
      const { data } = api.useConversationQuery('c1')
      const history = useMemo(() => toTimelineItems(data?.messages ?? []), [data?.messages])
      return <AgentTimeline agent={agent} sessionId="c1" history={history} />
    }
    render(
      <StrictMode>
        <Timeline />
      </StrictMode>,
      { wrapper },
    )
    await calm()
    const run = await chat.startRun('Hello')
    run.speak('Now it answers.')
    await calm()
    const nodes = rows()
    expect(nodes).toHaveLength(4)
    run.end()
    await calm(40)
    expect(heldRuns(chat)).toEqual([])
    expect(rows().every((row, index) => row === nodes[index])).toBe(true)
    expect(texts().map((text) => text!.replace(/^(You|Assistant|User)/, ''))).toHaveLength(4)
  })
})
