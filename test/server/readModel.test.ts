import { afterEach, describe, expect, it } from 'vitest'
import { createScriptedModel, finish, say } from './support/createScriptedModel.ts'
import { readAll } from './support/readFrames.ts'
import { startTestServer, type TestServer } from './support/startTestServer.ts'

interface Page {
  messages: { id: string; content: string }[]
  runs: { runId: string; lastSeq: number }[]
  conversations: { id: string }[]
  nextCursor: string | null
}

let server: TestServer
afterEach(() => server.close())

async function startConversation() {
  const script = [say('Fine.'), ...finish('stop')]
  let now = 1_000
  const clock = { now: () => (now += 1) }
  server = await startTestServer({ model: createScriptedModel(Array.from({ length: 9 }, () => script)), ...clock })
  const browser = server.createBrowser()
  const ask = async (conversationId: string, prompt: string) =>
    readAll((await browser.start(prompt, { conversationId, runId: `${conversationId}-${prompt}` })).frames)
  const read = async (path: string) => (await browser.request<Page>('GET', `/api/agent${path}`)).body
  return { browser, ask, read }
}

describe('the read model', () => {
  it('pages backwards through a conversation, each page in its order and with its runs', async () => {
    const { browser, ask, read } = await startConversation()
    for (const prompt of ['one', 'two', 'three']) await ask('c1', prompt)
    const whole = await read('/conversations/c1')
    expect(whole).toMatchObject({ id: 'c1', nextCursor: null })
    expect(whole.messages.map(({ content }) => content)).toEqual(['one', 'Fine.', 'two', 'Fine.', 'three', 'Fine.'])
    const newest = await read('/conversations/c1?limit=3')
    expect(newest.messages).toEqual(whole.messages.slice(3))
    expect(newest.runs.map(({ runId }) => runId)).toEqual(['c1-two', 'c1-three'])
    const older = await read(`/conversations/c1?limit=3&before=${newest.nextCursor}`)
    expect(older.messages).toEqual(whole.messages.slice(0, 3))
    expect(older.nextCursor).toBeNull()
    const { lastSeq } = await read('/runs/c1-three') as unknown as { lastSeq: number }
    expect(newest.runs[1]).toMatchObject({ lastSeq })
    for (const path of ['/conversations/c1?before=x', '/conversations?before=x', '/conversations?limit=x']) {
      expect(await browser.request('GET', `/api/agent${path}`)).toMatchObject({ status: 400 })
    }
  })

  it('pages through conversations, those changed last first', async () => {
    const { ask, read } = await startConversation()
    for (const id of ['a', 'b', 'c']) await ask(id, 'hi')
    await ask('a', 'again')
    const first = await read('/conversations?limit=2')
    expect(first.conversations.map(({ id }) => id)).toEqual(['a', 'c'])
    const second = await read(`/conversations?limit=2&before=${first.nextCursor}`)
    expect(second).toMatchObject({ conversations: [{ id: 'b' }], nextCursor: null })
  })
})
