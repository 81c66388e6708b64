import { createAgentStore, type AgentState } from 'redux-agent'
import { createAgUiProvider } from 'redux-agent/adapters/ag-ui'
import { describe, expect, it } from 'vitest'
import { collectRun } from '../openAI/collectRun.ts'
import { streamText } from '../openAI/createWire.ts'
import { toolResult } from './playAgUi.ts'
import { createConversation, finished, interrupted, said, started } from './runAgUi.ts'

// Chunk events need not name what they go on with: a wire that is lost in the middle of them goes on all the same.

const chunks: readonly Record<string, unknown>[] = [
  started(),
  { type: 'SUBAGENT_STARTED', subagentRunId: 's', name: 'Scout' },
  { type: 'TEXT_MESSAGE_CHUNK', messageId: 'm1', delta: 'One, ' },
  { type: 'TEXT_MESSAGE_CHUNK', messageId: 'sub', delta: 'Un, ', subagentRunId: 's' },
  { type: 'TEXT_MESSAGE_CHUNK', messageId: 'm1', delta: 'two, ' },
  { type: 'TEXT_MESSAGE_CHUNK', delta: 'three.' },
  { type: 'TEXT_MESSAGE_CHUNK', delta: 'deux.', subagentRunId: 's' },
  { type: 'CUSTOM', name: 'own', value: 1 },
  { type: 'TEXT_MESSAGE_CHUNK', messageId: 'm1', delta: ' Four.' },
  { type: 'REASONING_START', messageId: 'x' },
  { type: 'REASONING_MESSAGE_START', messageId: 'x', role: 'reasoning' },
  { type: 'REASONING_MESSAGE_CONTENT', messageId: 'x', delta: 'Hm.' },
  { type: 'REASONING_MESSAGE_END', messageId: 'x' },
  { type: 'REASONING_ENCRYPTED_VALUE', subtype: 'message', entityId: 'x', encryptedValue: 'gAAA' },
  { type: 'REASONING_END', messageId: 'x' },
  { type: 'REASONING_MESSAGE_CHUNK', messageId: 'y', delta: 'So' },
  { type: 'REASONING_MESSAGE_CHUNK', delta: ' be it.' },
  { type: 'TOOL_CALL_CHUNK', toolCallId: '__proto__', toolCallName: 'look', delta: '{"a":' },
  { type: 'TOOL_CALL_CHUNK', delta: '[1,' },
  { type: 'TOOL_CALL_CHUNK', delta: '2]}' },
  toolResult('__proto__'),
  // What has no ids at all is counted.
  ...['So', 'Yes'].flatMap((word) => [
    { type: 'THINKING_START' },
    { type: 'THINKING_TEXT_MESSAGE_START' },
    { type: 'THINKING_TEXT_MESSAGE_CONTENT', delta: word },
    { type: 'THINKING_TEXT_MESSAGE_CONTENT', delta: '.' },
    { type: 'THINKING_TEXT_MESSAGE_END' },
    { type: 'THINKING_END' },
  ]),
  ...said('m2', 'Well', ' then.'),
]

const endings = {
  'a good end': finished(),
  'a failure': { type: 'RUN_ERROR', message: 'broken', code: 'x' },
}

describe.each(Object.entries(endings))('a stream of chunks with %s', (_name, end) => {
  const frames = [...chunks, end].map((chunk, index) => `id: ${index}\ndata: ${JSON.stringify(chunk)}\n\n`)

  const create = (answer: (after: number | undefined) => readonly string[]) =>
    createAgUiProvider({
      url: '/agent',
      createMessageId: () => 'q',
      resume: { request: ({ cursor }) => ({ url: `/again?after=${cursor}` }) },
      fetch: async (url) => {
        const after = /after=(\d+)/.exec(String(url))?.[1]
        return streamText(answer(after === undefined ? undefined : Number(after)).join(''))
      },
    })

  const facts = ({ runs, messages, reasoning, toolCalls, tasks, issues }: AgentState) => {
    const kept = (record: Readonly<Record<string, object>>) => Object.values(record).map((entity) => ({ ...entity, error: undefined }))
    return { issues, status: runs.r1?.status, kinds: [messages, reasoning, toolCalls, tasks].map(kept) }
  }

  it('says all of it once, wherever its wire is lost', async () => {
    const { state: whole } = await collectRun(create(() => frames), { input: { message: 'Hi' } })
    expect(Object.values(whole.messages).map(({ content }) => content)).toEqual(['Hi', 'One, two, three. Four.', 'Un, deux.', 'Well then.'])
    expect(Object.values(whole.reasoning).map(({ content }) => content)).toEqual(['Hm.', 'So be it.', 'So.', 'Yes.'])
    expect(Object.values(whole.toolCalls)).toMatchObject([{ id: '__proto__', arguments: '{"a":[1,2]}', status: 'completed' }])
    for (let cut = 1; cut < frames.length; cut += 1) {
      const answer = (after: number | undefined) => (after === undefined ? frames.slice(0, cut) : frames.slice(after + 1))
      const lost = await collectRun(create(answer), { input: { message: 'Hi' }, decide: 'stop' })
      const initialState = createAgentStore({ initialState: lost.state }).getSnapshot()
      const initialSequence = initialState.lastSequenceByRun.r1
      const { cursor } = lost.cursors.at(-1)!
      const { state } = await collectRun(create(answer), { input: { message: 'Hi' }, cursor, initialState, initialSequence })
      expect(facts(state)).toEqual(facts(whole))
    }
  })
})

it('a text that chunks were in the middle of has not ended well where the run fails', async () => {
  const provider = createAgUiProvider({ url: '/agent', fetch: async () => streamText(chunks.slice(0, 4).map((chunk) => `data: ${JSON.stringify(chunk)}\n\n`).join('')) })
  const { state } = await collectRun(provider, { input: { message: 'Hi' } })
  expect(Object.values(state.messages).map(({ status }) => status)).toEqual(['completed', 'failed', 'failed'])
})

it('a replay of the AG-UI run that an answer began tells its own steps and words again, not those before the question', async () => {
  const step = (word: string) => [
    { type: 'STEP_STARTED', stepName: 'think' },
    ...said('same', word),
    { type: 'STEP_FINISHED', stepName: 'think' },
  ]
  const first = [started(), ...step('One.'), interrupted([{ id: 'i', reason: 'confirmation' }])]
  const second = [started('r2'), ...step('Two.'), ...step('Three.'), finished('r2')]
  const number = (chunks: readonly object[]) => chunks.map((chunk, index) => ({ ...chunk, metadata: { at: index + 1 } }))
  const play = async (cut: number) => {
    const { run, resolve, resume, state } = createConversation([number(first), number(second.slice(0, cut)), number(second)], {
      resume: { replay: 'all', metadataKey: 'at', request: () => ({ url: '/again' }) },
    })
    await run()
    const isLost = await resolve('i').then(() => false, () => true)
    if (isLost) expect(await resume()).toEqual([])
    const { messages, tasks, runs, issues } = state()
    expect(issues).toEqual([])
    const tell = (record: Readonly<Record<string, { id: string; status: string; content?: unknown }>>) =>
      Object.values(record).map(({ id, status, content }) => ({ id, status, content }))
    return [runs.r1?.status, tell(messages), tell(tasks)]
  }
  const whole = await play(second.length)
  expect(whole[2]).toHaveLength(3)
  for (let cut = 1; cut < second.length; cut += 1) expect(await play(cut)).toEqual(whole)
})
