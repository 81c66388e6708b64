import OpenAI from 'openai'
import type { AgentState } from 'redux-agent'
import { createOpenAIChatProvider } from 'redux-agent/adapters/openai-chat'
import { createOpenAIResponsesProvider } from 'redux-agent/adapters/openai-responses'
import { describe, expect, it } from 'vitest'
import { createLongScript } from '../openAIResponses/createLongScript.ts'
import { collectRun } from './collectRun.ts'
import { createWire } from './createWire.ts'
import { readRecordings } from './readRecordings.ts'

// The same chunks through OpenAI's own client and through ours: what both say of the answer is the same.

const createClient = (chunks: readonly unknown[]) =>
  new OpenAI({
    apiKey: 'none',
    baseURL: 'https://api.example.com/v1',
    fetch: createWire([...chunks, '[DONE]']).fetch,
    maxRetries: 0,
  })

const answerOf = (state: AgentState) =>
  Object.values(state.messages)
    .filter(({ role }) => role === 'assistant')
    .map(({ content }) =>
      typeof content === 'string' ? content : content.map((part) => ('text' in part ? part.text : '')).join(''),
    )
    .join('')
const callsOf = (state: AgentState) =>
  Object.values(state.toolCalls).map(({ id, name, arguments: text }) => ({ id, name, text }))

const chatChunk = (delta: object, finishReason: string | null = null) => ({
  ...{ id: 'c', object: 'chat.completion.chunk', created: 1, model: 'm' },
  choices: [{ index: 0, delta, finish_reason: finishReason }],
})

/** Parallel calls, piece by piece, and a refusal: what the recordings lack. */
const ownChats = [
  {
    name: 'parallel calls',
    chunks: [
      chatChunk({ role: 'assistant', content: 'So: ' }),
      chatChunk({
        tool_calls: [{ index: 0, id: 'a', type: 'function', function: { name: 'look', arguments: '{"a"' } }],
      }),
      chatChunk({ tool_calls: [{ index: 1, id: 'b', type: 'function', function: { name: 'find', arguments: '{}' } }] }),
      chatChunk({ tool_calls: [{ index: 0, function: { arguments: ':1}' } }] }),
      chatChunk({}, 'tool_calls'),
    ],
  },
  {
    name: 'text',
    chunks: [chatChunk({ role: 'assistant', content: 'Hi ' }), chatChunk({ content: '😀' }), chatChunk({}, 'stop')],
  },
]

describe('chat completions, as OpenAI’s client reads them', () => {
  const recordings = readRecordings('openai-chat')

  async function expectSame({ name, chunks }: { name: string; chunks: readonly unknown[] }) {
    const stream = createClient(chunks).chat.completions.stream({ model: 'm', messages: [] })
    const completion = await stream.finalChatCompletion()
    const { message, finish_reason: finishReason } = completion.choices[0]!
    const { state } = await collectRun(createOpenAIChatProvider({ fetch: createWire(chunks).fetch }), {
      input: { message: 'Hi' },
    })
    expect(answerOf(state), name).toBe(message.content ?? '')
    expect(callsOf(state), name).toEqual(
      (message.tool_calls ?? []).map((call) => ({
        id: call.id,
        name: call.function.name,
        text: call.function.arguments,
      })),
    )
    expect(state.runs.r1?.output, name).toMatchObject({ finishReason })
    expect(state.runs.r1?.usage?.totalTokens, name).toBe(completion.usage?.total_tokens)
  }

  it('say the same', async () => {
    for (const chat of ownChats) await expectSame(chat)
  })

  it('say the same in recordings', async () => {
    for (const recording of recordings) await expectSame(recording)
  })
})

describe('responses, as OpenAI’s client reads them', () => {
  const recordings = readRecordings('openai-responses')

  async function expectSame({ name, chunks }: { name: string; chunks: readonly unknown[] }) {
    const response = await createClient(chunks).responses.stream({ model: 'm', input: 'Hi' }).finalResponse()
    const { state } = await collectRun(createOpenAIResponsesProvider({ fetch: createWire(chunks).fetch }), {
      input: { message: 'Hi' },
    })
    const said = response.output.flatMap((item) => (item.type === 'message' ? item.content : []))
    expect(answerOf(state), name).toBe(
      said.map((part) => (part.type === 'output_text' ? part.text : part.refusal)).join(''),
    )
    const calls = response.output.flatMap((item) =>
      item.type === 'function_call' ? [{ id: item.call_id, name: item.name, text: item.arguments }] : [],
    )
    expect(callsOf(state), name).toEqual(expect.arrayContaining(calls))
    if (state.runs.r1?.status === 'completed') {
      expect(state.runs.r1.output, name).toMatchObject({ responseId: response.id })
      expect(state.runs.r1.usage?.totalTokens, name).toBe(response.usage?.total_tokens)
    }
  }

  it('say the same', async () => {
    // Their client throws at an event that it does not know; ours passes over it.
    const chunks = createLongScript().filter(({ type }) => type !== 'keepalive')
    await expectSame({ name: 'everything', chunks })
  })

  it('say the same in recordings', async () => {
    const failed = recordings.filter(({ name }) => !name.includes('error'))
    for (const { name, chunks } of failed) {
      const starts = chunks.flatMap(({ type }, index) => (type === 'response.created' ? [index] : []))
      for (const [number, start] of starts.entries()) {
        await expectSame({ name: `${name} ${number}`, chunks: chunks.slice(start, starts[number + 1]) })
      }
    }
  })
})
