import { describe, expect, it, onTestFinished } from 'vitest'
import { createLocalModelApp } from '../../demo/server/model/createLocalModelApp.ts'
import { startRequestSchema } from '../../demo/server/runs/startRequestSchema.ts'
import { call, createScriptedModel, finish, say } from './support/createScriptedModel.ts'
import { eventsOf, readAll } from './support/readFrames.ts'
import { startTestServer } from './support/startTestServer.ts'

// As many as overflow the stack where what is wrong with each is noted.
const zeros = Array.from({ length: 200_000 }, () => 0)

const runWith = async (...scripts: Parameters<typeof createScriptedModel>[0]) => {
  const model = createScriptedModel(scripts)
  const server = await startTestServer({ model })
  onTestFinished(() => server.close())
  const frames = await readAll((await server.createBrowser().start('Hi')).frames)
  return { events: eventsOf(frames), requests: model.requests }
}

describe('a long list of what is none', () => {
  it.each([
    ['calls', { choices: [{ delta: { tool_calls: zeros } }] }],
    ['thoughts', { choices: [{ delta: { content: [{ type: 'thinking', thinking: zeros }] } }] }],
  ])('is no chunk, and the run goes on: %s', async (_name, chunk) => {
    const { events } = await runWith([chunk, say('Hello.'), ...finish('stop')])
    expect(events.map(({ type }) => type)).toContain('message.delta')
    expect(events.at(-1)).toMatchObject({ type: 'run.completed' })
  })

  it('is told to the model that asks with it, as arguments that do not fit', async () => {
    const ask = call('ask_user', { question: 'Which?', options: zeros })
    const { events, requests } = await runWith([ask, ...finish('tool_calls')], [say('Well.'), ...finish('stop')])
    expect(events.find(({ type }) => type === 'tool.failed')).toMatchObject({
      payload: { error: { code: 'invalid_arguments', message: expect.stringContaining('at most 20 entries') } },
    })
    expect(events.at(-1)).toMatchObject({ type: 'run.completed' })
    // What it may give is described to it all the same.
    const asked = requests[0]!.tools.find(({ name }) => name === 'ask_user')
    expect(asked).toMatchObject({
      parameters: { properties: { options: { type: 'array', maxItems: 20, items: { maxLength: 200 } } } },
    })
  })

  it('is read as far as its first wrong entry, as the content of a message', () => {
    const read: number[] = []
    const parts = [0, 1, 2].map((index) => ({
      get type() {
        read.push(index)
        return index === 1 ? 'image' : 'text'
      },
      text: 'Hi',
    }))
    const body = { conversationId: 'c', messages: [{ role: 'user', content: parts }] }
    expect(startRequestSchema.safeParse(body).success).toBe(false)
    expect(new Set(read)).toEqual(new Set([0, 1]))
  })

  it('is refused by the local model, as the calls of a message', async () => {
    const request = { model: 'local', stream: true, messages: [{ role: 'assistant', tool_calls: zeros }] }
    const app = createLocalModelApp({ tokenDelayMs: 0 })
    const { status } = await app.request('/v1/chat/completions', { method: 'POST', body: JSON.stringify(request) })
    expect(status).toBe(400)
  })
})
