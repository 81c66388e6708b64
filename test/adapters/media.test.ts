import { createAgUiProvider } from 'redux-agent/adapters/ag-ui'
import { createAiSdkProvider } from 'redux-agent/adapters/ai-sdk'
import { createOpenAIChatProvider } from 'redux-agent/adapters/openai-chat'
import { createOpenAIResponsesProvider } from 'redux-agent/adapters/openai-responses'
import { createInitialAgentState, runAgentProvider, type AgentContentPart, type AnyAgentProvider } from 'redux-agent'
import { describe, expect, it } from 'vitest'

type Make = (options: { fetch: typeof globalThis.fetch; model: string; url: string }) => AnyAgentProvider

const image = 'data:image/png;base64,aGk='
const asFile = { type: 'file', mediaType: 'image/png', url: image }
const asImageUrl = { type: 'image_url', image_url: { url: image } }
const asInputImage = { type: 'input_image', detail: 'auto', image_url: image }
const asSource = { type: 'image', source: { type: 'data', value: 'aGk=', mimeType: 'image/png' } }

const wires: [string, Make, object][] = [
  ['openai-chat', createOpenAIChatProvider, asImageUrl],
  ['openai-responses', createOpenAIResponsesProvider, asInputImage],
  ['ai-sdk', createAiSdkProvider, asFile],
  ['ag-ui', createAgUiProvider, asSource],
]

describe.each(wires)('what a person shows by %s', (_name, make, expected) => {
  /** The parts of the person's message, as they are sent. */
  async function send(part: AgentContentPart): Promise<unknown> {
    let body: { messages?: object[]; input?: object[] } = {}
    const provider = make({
      url: 'https://example.com/agent',
      model: 'm',
      async fetch(_url, init) {
        body = JSON.parse(String(init!.body)) as typeof body
        return new Response(null, { status: 500 })
      },
    })
    const run = { sessionId: 's1', runId: 'r1', getAgentState: createInitialAgentState }
    const message = [{ type: 'text', text: 'See' }, part] as const
    await runAgentProvider({ provider, input: { message }, run, onEvent: () => undefined })
    const said = (body.messages ?? body.input)!.at(-1) as { content?: unknown[]; parts?: unknown[] }
    return (said.content ?? said.parts)!.slice(1)
  }

  it.each<[string, AgentContentPart]>([
    ['bytes that do not say what they are', { type: 'image', data: 'aGk=' }],
    ['bytes with their kind', { type: 'image', data: 'aGk=', mediaType: 'image/png' }],
    ['bytes as an address', { type: 'image', url: image }],
    ['an address among the bytes', { type: 'image', data: image }],
  ])('is an image by %s', async (_how, part) => {
    expect(await send(part)).toEqual([expected])
  })

  it.each(['image', 'file'] as const)('is left out where a part of the kind %s holds nothing', async (type) => {
    expect(await send({ type })).toEqual([])
  })
})
