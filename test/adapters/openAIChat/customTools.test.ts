import fc from 'fast-check'
import { createOpenAIChatProvider, type OpenAIChatInput } from 'redux-agent/adapters/openai-chat'
import { validateAgentProviderEvents } from 'redux-agent/testing'
import { describe, expect, it } from 'vitest'
import { createHarness, expectSilentConsole } from '../../store/createHarness.ts'
import { collectRun } from '../openAI/collectRun.ts'
import { createWire } from '../openAI/createWire.ts'

// A custom tool is called with text, not with JSON; the stream has it though its published types do not.

expectSilentConsole()

const choice = (delta: object, finishReason: string | null = null) => ({
  choices: [{ index: 0, delta, finish_reason: finishReason }],
})
const calls = (...list: object[]) => choice({ tool_calls: list })
const begin = (index: number, id: string, name: string) => ({ index, id, type: 'custom', custom: { name, input: '' } })
const more = (index: number, input: string) => ({ index, custom: { input } })

async function run(chunks: readonly unknown[]) {
  const provider = createOpenAIChatProvider({ fetch: createWire(chunks).fetch })
  const { events, state } = await collectRun(provider, { input: { message: 'Hello' } })
  expect(validateAgentProviderEvents(provider.capabilities, events)).toEqual([])
  expect(state.issues).toEqual([])
  return {
    status: state.runs.r1!.status,
    calls: Object.values(state.toolCalls).map(({ id, name, arguments: text, status, reason }) => ({ id, name, text, status, reason })),
  }
}

const handed = 'It is the app’s to run, and to answer with its next request.'

describe('a call of a custom tool', () => {
  it('is told with its text as a JSON string, however that is cut', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.string({ unit: 'binary' }), { maxLength: 6 }), async (whole) => {
        const text = whole.join('')
        // By units, so that a pair of surrogates may be cut.
        const pieces = whole.flatMap((piece) => [piece.slice(0, 1), piece.slice(1)])
        const answer = [calls(begin(0, 'a', 'shell')), ...pieces.map((piece) => calls(more(0, piece))), choice({}, 'tool_calls')]
        const { calls: made, status } = await run(answer)
        expect(status).toBe('completed')
        expect(made).toEqual([{ id: 'a', name: 'shell', text: expect.any(String), status: 'cancelled', reason: handed }])
        expect(JSON.parse(made[0]!.text)).toBe(text)
      }),
    )
  })

  it('may stand beside others and beside functions', async () => {
    const { calls: made } = await run([
      calls(begin(0, 'a', 'shell'), { index: 1, id: 'b', function: { name: 'look', arguments: '{"a":' } }, begin(2, 'c', 'sql')),
      calls(more(0, 'echo "}"'), { index: 1, function: { arguments: '1}' } }, more(2, 'select 1')),
      choice({}, 'tool_calls'),
    ])
    expect(made.map(({ id, text }) => [id, text])).toEqual([
      ['a', '"echo \\"}\\""'],
      ['b', '{"a":1}'],
      ['c', '"select 1"'],
    ])
  })

  it('is whole once though a message repeats it', async () => {
    const whole = { id: 'a', type: 'custom', custom: { name: 'shell', input: 'ls\n-l' } }
    const message = { choices: [{ index: 0, message: { tool_calls: [whole] }, finish_reason: 'tool_calls' }] }
    for (const answer of [[message], [calls(begin(0, 'a', 'shell')), calls(more(0, 'ls\n')), message]]) {
      expect((await run(answer)).calls.map(({ text }) => text)).toEqual(['"ls\\n-l"'])
    }
  })

  it('that is cut off says so', async () => {
    const { calls: made, status } = await run([calls(begin(0, 'a', 'shell')), calls(more(0, 'rm -r')), choice({}, 'length')])
    expect(status).toBe('completed')
    expect(made).toMatchObject([{ text: '"rm -r', reason: 'Its arguments were cut off.' }])
  })

  it('goes back as it was, with the app’s answer', async () => {
    const asks = [calls(begin(0, 'a', 'shell')), calls(more(0, 'echo "hi"')), choice({}, 'tool_calls')]
    const wire = createWire(asks, [choice({ content: 'Done.' }, 'stop')])
    const provider = createOpenAIChatProvider({ fetch: wire.fetch })
    const { agent, store } = createHarness({ providers: [provider] })
    const inputs: OpenAIChatInput[] = [{ message: 'Say hi' }, { toolResults: [{ toolCallId: 'a', result: 'hi' }] }]
    for (const input of inputs) await store.dispatch(agent.actions.startRun({ sessionId: 's1', provider, input })).unwrap()
    expect(wire.sent[1]!.body.messages).toEqual([
      { role: 'user', content: 'Say hi' },
      {
        role: 'assistant',
        content: null,
        tool_calls: [{ id: 'a', type: 'custom', custom: { name: 'shell', input: 'echo "hi"' } }],
      },
      { role: 'tool', tool_call_id: 'a', content: 'hi' },
    ])
  })

  it.each([[{ custom: 7 }], [{ custom: { name: 7 } }], [{ custom: { name: 'shell', input: {} } }]])(
    'that is none is one clear error: %j',
    async (stated) => {
      const provider = createOpenAIChatProvider({ fetch: createWire([calls({ index: 0, id: 'a', ...stated })]).fetch })
      const { failures, state } = await collectRun(provider, { input: { message: 'Hello' } })
      expect(failures).toEqual([expect.objectContaining({ code: 'invalid_frame' })])
      expect(state.runs.r1!.status).toBe('failed')
    },
  )
})
