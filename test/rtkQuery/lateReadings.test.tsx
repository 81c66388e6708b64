import { act, render, screen } from '@testing-library/react'
import { afterEach, describe, expect, it } from 'vitest'
import { expectSilentConsole } from '../store/createHarness.ts'
import { createEndpointApp, settle } from './support/createEndpointApp.tsx'
import { createRunHost } from './support/createRunHost.ts'
import { holdTestClock } from './support/holdTestClock.ts'

holdTestClock()
expectSilentConsole()
afterEach(() => document.body.replaceChildren())

const calm = (turns?: number) => act(() => settle(turns))
const texts = () => screen.queryAllByRole('listitem').map((row) => row.textContent)
const whole = ['Hello?', 'Said long ago.', 'Hello?', 'Now it answers.']

/** A page whose readings of the conversation the test may keep back: they then say what stood when they were asked. */
async function createSlowChat() {
  const host = createRunHost()
  const past = host.createRun('past', 'c1')
  past.speak('Said long ago.')
  past.end()
  const kept: (() => void)[] = []
  let isSlow = false
  const fetch: typeof host.fetch = async (input, init) => {
    const mayWait = isSlow && String(input instanceof Request ? input.url : input).includes('/conversations/')
    const response = await host.fetch(input, init)
    if (mayWait) await new Promise<void>((resolve) => kept.push(resolve))
    return response
  }
  const app = createEndpointApp({ ...host, fetch })
  const { agent, api, store } = app

  function Chat() {
    const { data } = api.useConversationQuery('c1')
    const chat = agent.useXChat({ provider: 'host', conversationKey: 'c1', history: data?.messages })
    return (
      <ul>
        {chat.messages.map(({ id, message }) => (
          <li key={id}>{String(message.content)}</li>
        ))}
      </ul>
    )
  }
  render(<Chat />, { wrapper: app.wrapper })
  await calm()
  await act(async () => {
    store.dispatch(agent.actions.startRun({ sessionId: 'c1', provider: 'host', input: { message: 'Hello' }, runId: 'own' }))
    await settle()
  })
  const run = host.startedRun('own')
  run.speak('Now it answers.')
  await calm()
  return {
    ...app,
    run,
    host,
    held: () => Object.keys(app.state('c1').runs),
    setSlow: (value: boolean) => void (isSlow = value),
    refetch: () => store.dispatch(api.endpoints.conversation.initiate('c1', { forceRefetch: true })),
    async release() {
      for (const resolve of kept.splice(0)) resolve()
      await calm()
    },
  }
}

describe('a reading that says what stood before', () => {
  it('changes nothing where it comes after a newer one, though the run has been let go of', async () => {
    const chat = await createSlowChat()
    chat.setSlow(true)
    void chat.refetch()
    await calm()
    chat.setSlow(false)
    chat.run.end()
    await calm(40)
    expect([chat.held(), texts()]).toEqual([[], whole])
    await chat.release()
    expect(texts()).toEqual(whole)
    // What is asked after that is news again.
    const next = chat.host.createRun('next', 'c1')
    next.speak('And more.')
    await act(async () => void (await chat.refetch()))
    await calm()
    expect(texts()).toEqual([...whole, 'Hello?', ''])
  })

  it('changes nothing where a part of the server lags behind', async () => {
    const chat = await createSlowChat()
    chat.run.end()
    await calm(40)
    expect(chat.held()).toEqual([])
    chat.host.setLag(1)
    await act(async () => void (await chat.refetch()))
    await calm()
    const { data } = chat.api.endpoints.conversation.select('c1')(chat.store.getState())
    expect(data!.runs.at(-1)).toMatchObject({ runId: 'own', lastSeq: chat.host.logOf('own').length })
    expect(texts()).toEqual(whole)
  })

  it('of before a reset of the api lets go of nothing that the page does not show yet', async () => {
    const chat = await createSlowChat()
    chat.setSlow(true)
    chat.run.end()
    await calm(40)
    const seen = new Set<string>()
    const watch = new MutationObserver(() => seen.add(texts().slice(-2).join()))
    watch.observe(document.body, { childList: true, subtree: true, characterData: true })
    await act(async () => void chat.store.dispatch(chat.api.util.resetApiState()))
    await calm()
    await chat.release()
    await chat.release()
    expect(texts()).toEqual(whole)
    expect([...seen].filter((text) => text !== whole.slice(-2).join())).toEqual([])
    expect(chat.held()).toEqual([])
  })
})

describe('a conversation that the app has put into the cache itself', () => {
  it('is reconciled as one that was read', async () => {
    const host = createRunHost()
    const app = createEndpointApp(host)
    const { agent, api, store } = app
    const given = { id: 'c1', title: '', createdAt: 1, updatedAt: 1, messages: [], runs: [], nextCursor: null }
    await store.dispatch(api.util.upsertQueryData('conversation', 'c1', given))
    const subscription = store.dispatch(api.endpoints.conversation.initiate('c1'))
    store.dispatch(agent.actions.startRun({ sessionId: 'c1', provider: 'host', input: { message: 'Hi' }, runId: 'own' }))
    await settle()
    const run = host.startedRun('own')
    run.speak('Now it answers.')
    run.end()
    await settle(40)
    const { data } = api.endpoints.conversation.select('c1')(store.getState())
    expect(data!.messages.map(({ content }) => content)).toEqual(['Hello?', 'Now it answers.'])
    expect(Object.keys(app.state('c1').runs)).toEqual([])
    subscription.unsubscribe()
  })

  it('may be changed while it is read anew', async () => {
    const chat = await createSlowChat()
    chat.setSlow(true)
    chat.run.end()
    await calm(40)
    await act(async () => {
      chat.store.dispatch(
        chat.api.util.updateQueryData('conversation', 'c1', (draft) => {
          const talk = draft as { title: string; messages: unknown[] }
          talk.title = 'Mine'
          talk.messages.reverse()
        }),
      )
    })
    await chat.release()
    expect(texts()).toEqual(whole)
    expect(chat.held()).toEqual([])
  })
})

describe('two runs of one conversation', () => {
  it('that end at once are let go of together, in their places', async () => {
    const chat = await createSlowChat()
    await act(async () => {
      const options = { sessionId: 'c1', provider: 'host', input: { message: 'Hello' }, runId: 'other' }
      chat.store.dispatch(chat.agent.actions.startRun(options))
      await settle()
    })
    chat.host.startedRun('other').speak('The other one.')
    chat.run.end()
    chat.host.startedRun('other').end()
    await calm(40)
    expect(chat.held()).toEqual([])
    expect(texts()).toEqual([...whole, 'Hello?', 'The other one.'])
  })
})
