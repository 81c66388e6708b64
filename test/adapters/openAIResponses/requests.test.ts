import { createAgentEventFactory, replayAgentEvents } from 'redux-agent'
import { createOpenAIResponsesProvider, type OpenAIResponsesInput } from 'redux-agent/adapters/openai-responses'
import { describe, expect, it } from 'vitest'
import { createHarness, expectSilentConsole } from '../../store/createHarness.ts'
import { collectRun } from '../openAI/collectRun.ts'
import { createWire, type WireAnswers } from '../openAI/createWire.ts'
import { createResponseScript } from './createResponseScript.ts'

expectSilentConsole()

function says(id: string, text: string, items: readonly Record<string, unknown>[] = []) {
  const script = createResponseScript({ id })
  for (const item of items) {
    script.begin(item)
    script.done(item)
  }
  if (text !== '') script.message(text)
  return script.complete()
}

/** Starts runs in one session of a real store, and gives the bodies that were sent. */
async function converse(
  answers: WireAnswers,
  inputs: readonly OpenAIResponsesInput[],
  options: Parameters<typeof createOpenAIResponsesProvider>[0] = {},
) {
  const wire = createWire(...answers)
  const provider = createOpenAIResponsesProvider({ ...options, fetch: wire.fetch })
  const harness = createHarness({ providers: [provider] })
  for (const input of inputs) {
    await harness.store.dispatch(harness.agent.actions.startRun({ sessionId: 's1', provider, input })).unwrap()
  }
  expect(harness.state().issues).toEqual([])
  return { ...harness, sent: wire.sent, bodies: wire.sent.map(({ body }) => body) }
}

describe('a request of the Responses wire', () => {
  it('says what the options and the input say, with headers that are fetched anew', async () => {
    let tokens = 0
    const tool = { type: 'web_search' }
    const { sent } = await converse(
      [says('resp_1', 'a')],
      [{ message: 'Hi' }, { message: 'Ho', model: 'big', tools: [], body: { seed: 1 } }],
      {
        baseUrl: 'https://proxy.example.com/v1/',
        model: 'small',
        instructions: 'Be brief.',
        tools: [tool],
        body: { reasoning: { effort: 'low' } },
        headers: async () => ({ authorization: `Bearer ${(tokens += 1)}` }),
      },
    )
    expect(sent[0]!.url).toBe('https://proxy.example.com/v1/responses')
    expect(sent[0]!.body).toEqual({
      model: 'small',
      instructions: 'Be brief.',
      tools: [tool],
      reasoning: { effort: 'low' },
      input: [{ role: 'user', content: 'Hi' }],
      stream: true,
    })
    expect(sent[1]!.body).toMatchObject({ model: 'big', seed: 1, previous_response_id: 'resp_1' })
    expect(sent[1]!.body.tools).toBeUndefined()
    expect(sent.map(({ headers }) => headers.get('authorization'))).toEqual(['Bearer 1', 'Bearer 2'])
  })

  it('holds the pictures and files of a person’s message', async () => {
    const message = [
      { type: 'text', text: 'See' },
      { type: 'image', data: 'AAAA', mediaType: 'image/png' },
      { type: 'image', data: { fileId: 'file-0' } },
      { type: 'file', data: 'BBBB', mediaType: 'application/pdf', name: 'a.pdf' },
      { type: 'file', url: 'https://example.com/a.pdf' },
      { type: 'file', data: { fileId: 'file-1' } },
      { type: 'openai.input_audio', data: { type: 'input_audio', data: 'x' } },
      { type: 'other.kind', data: 1 },
      { type: 'image', data: 7 },
      { type: 'file', data: 7 },
    ] as const
    const { bodies } = await converse([says('resp_1', 'a')], [{ message }])
    expect(bodies[0]!.input).toEqual([
      {
        role: 'user',
        content: [
          { type: 'input_text', text: 'See' },
          { type: 'input_image', detail: 'auto', image_url: 'data:image/png;base64,AAAA' },
          { type: 'input_image', detail: 'auto', file_id: 'file-0' },
          { type: 'input_file', filename: 'a.pdf', file_data: 'data:application/pdf;base64,BBBB' },
          { type: 'input_file', file_url: 'https://example.com/a.pdf' },
          { type: 'input_file', file_id: 'file-1' },
          { type: 'input_audio', data: 'x' },
        ],
      },
    ])
  })

  it('goes on from the latest response that came to its end, with what was said since', async () => {
    const cut = createResponseScript({ id: 'resp_2' })
    cut.message('So far')
    const failed = cut.end('failed', { error: { code: 'server_error' } })
    const { bodies } = await converse(
      [says('resp_1', 'One.'), failed, says('resp_3', 'Three.')],
      [{ message: '1?' }, { message: '2?' }, { message: '3?' }, { message: '4?' }],
    )
    expect(bodies[2]).toMatchObject({
      previous_response_id: 'resp_1',
      input: [
        { role: 'user', content: '2?' },
        { role: 'assistant', content: 'So far' },
        { role: 'user', content: '3?' },
      ],
    })
    expect(bodies[3]).toMatchObject({ previous_response_id: 'resp_3', input: [{ role: 'user', content: '4?' }] })
  })

  it('names no response before it where the service keeps the conversation itself', async () => {
    const inputs = [{ message: '1?' }, { message: '2?' }]
    const { bodies } = await converse([says('resp_1', 'a')], inputs, { body: { conversation: 'conv_1' } })
    expect(bodies[1]).toEqual({ conversation: 'conv_1', input: [{ role: 'user', content: '2?' }], stream: true })
  })

  it('is the app’s own where it gives one', async () => {
    const items = [{ role: 'developer', content: 'Say hi.' }]
    const { bodies, state } = await converse([says('resp_1', 'a')], [{ items }])
    expect(bodies[0]!.input).toEqual(items)
    expect(Object.values(state().messages).map(({ role }) => role)).toEqual(['assistant'])
  })
})

const calls = [
  { type: 'function_call', id: 'f', call_id: 'c1', name: 'look', arguments: '{"a":1}' },
  { type: 'custom_tool_call', id: 'g', call_id: 'c2', name: 'sql', input: 'SELECT 1' },
  { type: 'shell_call', id: 'h', call_id: 'c3', action: { commands: ['ls'] } },
  { type: 'local_shell_call', id: 'i', call_id: 'c4', action: { type: 'exec', command: ['ls'] } },
  { type: 'apply_patch_call', id: 'j', call_id: 'c5', operation: { type: 'delete_file', path: 'a' } },
]

describe('answers to the app’s own calls', () => {
  const outputs = [
    { type: 'function_call_output', call_id: 'c1', output: '{"count":7}' },
    { type: 'custom_tool_call_output', call_id: 'c2', output: 'one row' },
    {
      type: 'shell_call_output',
      call_id: 'c3',
      output: [{ stdout: 'a', stderr: '', outcome: { type: 'exit', exit_code: 0 } }],
    },
    { type: 'local_shell_call_output', id: 'c4', output: 'a' },
    { type: 'apply_patch_call_output', call_id: 'c5', status: 'completed', output: 'done' },
  ]
  const toolResults = [
    { toolCallId: 'c1', result: { count: 7 } },
    { toolCallId: 'c2', result: 'one row' },
    { toolCallId: 'c3', result: 'a' },
    { toolCallId: 'c4', result: 'a' },
    { toolCallId: 'c5', result: 'done' },
    { toolCallId: 'unknown', result: 'x' },
  ]

  it('are sent as the items of their kinds', async () => {
    const { bodies } = await converse(
      [says('resp_1', '', calls), says('resp_2', 'b')],
      [{ message: '?' }, { toolResults }],
    )
    expect(bodies[1]).toMatchObject({ previous_response_id: 'resp_1', input: outputs })
  })

  it('that name their own item, or hold a shell’s outputs, go as they are', async () => {
    const shell = [{ stdout: 'x', stderr: '', outcome: { type: 'timeout' } }]
    const item = { type: 'function_call_output', output: [{ type: 'input_image', image_url: 'u' }] }
    const own = [
      { toolCallId: 'c1', result: item },
      { toolCallId: 'c3', result: shell },
    ]
    const { bodies } = await converse(
      [says('resp_1', '', calls), says('resp_2', 'b')],
      [{ message: '?' }, { toolResults: own }],
    )
    expect(bodies[1]!.input).toEqual(
      expect.arrayContaining([
        { ...item, call_id: 'c1' },
        { type: 'shell_call_output', call_id: 'c3', output: shell },
      ]),
    )
  })

  it('that are missing are told to be: the service takes nothing further without', async () => {
    const { bodies } = await converse(
      [says('resp_1', '', calls), says('resp_2', 'b')],
      [{ message: '?' }, { message: 'Never mind.' }, { message: 'Bye.' }],
    )
    const notRun = 'The app did not run this call.'
    expect(bodies[1]!.input).toEqual([
      { type: 'function_call_output', call_id: 'c1', output: notRun },
      { type: 'custom_tool_call_output', call_id: 'c2', output: notRun },
      {
        type: 'shell_call_output',
        call_id: 'c3',
        output: [{ stdout: '', stderr: notRun, outcome: { type: 'exit', exit_code: 1 } }],
      },
      { type: 'local_shell_call_output', id: 'c4', output: notRun },
      { type: 'apply_patch_call_output', call_id: 'c5', status: 'failed', output: notRun },
      { role: 'user', content: 'Never mind.' },
    ])
    expect(bodies[2]!.input).toEqual([{ role: 'user', content: 'Bye.' }])
  })

  it('stand after their calls where the service keeps nothing', async () => {
    const search = { type: 'web_search_call', id: 'w', status: 'completed', action: { type: 'search', query: 'q' } }
    const compaction = { type: 'compaction', id: 'cm', encrypted_content: 'gBBB' }
    const { bodies } = await converse(
      [says('resp_1', 'Looking.', [compaction, search, ...calls]), says('resp_2', 'b')],
      [{ message: '?' }, { toolResults }],
      { body: { store: false } },
    )
    const [asked, ...answers] = calls.map(({ id, ...call }) => ({
      ...call,
      ...(call.type.endsWith('_shell_call') && { id }),
      ...(/shell|patch/.test(call.type) && { status: 'completed' }),
    }))
    expect(bodies[1]!.input).toEqual([
      { role: 'user', content: '?' },
      compaction,
      asked,
      outputs[0],
      ...answers.flatMap((call, index) => [call, outputs[index + 1]]),
      { role: 'assistant', content: 'Looking.' },
    ])
  })
})

describe('a conversation with other runtimes', () => {
  it('is told by its messages and the calls that were answered', async () => {
    const events = createAgentEventFactory({ sessionId: 's1', runId: 'r0' })
    const initialState = replayAgentEvents([
      events.create('run.started', {}),
      events.create('message.started', { messageId: 'q', role: 'user', content: 'Q' }),
      events.create('tool.requested', { toolCallId: 't', name: 'look' }),
      events.create('tool.completed', { toolCallId: 't', result: { seen: 1 } }),
      events.create('tool.requested', { toolCallId: 'u', name: 'look' }),
      events.create(
        'message.started',
        { messageId: 'gone', role: 'assistant', content: 'No.' },
        { meta: { reset: true } },
      ),
      events.create('message.started', { messageId: 'm', role: 'assistant', content: 'A' }),
      events.create('run.completed', {}),
    ])
    const { fetch, sent } = createWire(says('resp_1', 'a'))
    await collectRun(createOpenAIResponsesProvider({ fetch }), { input: { message: 'So?' }, initialState })
    expect(sent[0]!.body).toEqual({
      input: [
        { role: 'user', content: 'Q' },
        { type: 'function_call', call_id: 't', name: 'look', arguments: '{}' },
        { type: 'function_call_output', call_id: 't', output: '{"seen":1}' },
        { role: 'assistant', content: 'A' },
        { role: 'user', content: 'So?' },
      ],
      stream: true,
    })
  })
})
