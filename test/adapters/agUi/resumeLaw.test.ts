import { describe, expect, it } from 'vitest'
import { createAsyncIterableTransport } from 'redux-agent'
import type { AgUiChunk, AgUiRequest } from 'redux-agent/adapters/ag-ui'
import { streamText } from '../openAI/createWire.ts'
import { toolResult } from './playAgUi.ts'
import { playLegs, type Replay } from './playLegs.ts'
import { createRandom } from '../../server/nodes/createRandom.ts'
import { createLegs } from './generateAgUi.ts'
import { called, createConversation, finished, interrupted, said, started, textOf } from './runAgUi.ts'

// prefix(k) and then resume(k) is the whole, for every k: whichever AG-UI run of a run is lost, wherever, and however it
// is taken up again.

const ways: Replay[] = ['after', 'all']
const asks = (runId: string, more: object = {}) => interrupted([{ id: `ask-${runId}`, reason: 'confirmation', ...more }], runId)
const chunk = (messageId: string | undefined, delta: string) => ({ type: 'TEXT_MESSAGE_CHUNK', messageId, delta })
const args = (toolCallId: string | undefined, delta: string, toolCallName = 'look') => ({
  type: 'TOOL_CALL_CHUNK',
  ...(toolCallId !== undefined && { toolCallId, toolCallName }),
  delta,
})
const thought = (messageId: string, ...deltas: string[]) => [
  { type: 'REASONING_MESSAGE_START', messageId, role: 'reasoning' },
  ...deltas.map((delta) => ({ type: 'REASONING_MESSAGE_CONTENT', messageId, delta })),
  { type: 'REASONING_MESSAGE_END', messageId },
]
const add = (path: string, value: unknown) => ({ op: 'add', path, value })
const encrypted = (entityId: string) => ({ type: 'REASONING_ENCRYPTED_VALUE', subtype: 'message', entityId, encryptedValue: `v-${entityId}` })
const step = (which: 'STARTED' | 'FINISHED', stepName = 's') => ({ type: `STEP_${which}`, stepName })
const scout = (which: 'STARTED' | 'FINISHED', more: object = {}) => ({ type: `SUBAGENT_${which}`, subagentRunId: 'a', name: 'Scout', ...more })

const ids = Array.from({ length: 12 }, (_, index) => `c${index}`)

const first = [started(), ...said('m', 'Hel', 'lo'), ...thought('x', 'Hm', '.'), ...called('t', 'look'), asks('r1', { toolCallId: 't' })]
const again = (...events: object[]) => [first, [started('r2'), ...events, finished('r2')]]

const cases: Readonly<Record<string, object[][]>> = {
  'a message that is said again': again(...said('m', 'He', 'll', 'o')),
  'a message that is said again and goes on': again(...said('m', 'Hel', 'lo wor', 'ld'), ...said('m', 'Bye', '.')),
  'a message that is said again only in part': again(...said('m', 'H', 'el')),
  'another message under a known id': again(...said('m', 'Hel', 'p ', 'me'), ...said('m', 'Hel', 'lo')),
  'a message that is said again twice': again(...said('m', 'Hel', 'lo'), ...said('m', 'Hel', 'lo'), ...said('m', 'lo')),
  'a message that is said again by chunks': again(chunk('m', 'Hel'), chunk(undefined, 'lo'), chunk(undefined, ' you')),
  'a message that opens again with the same words': [[started(), ...said('m', 'ha', 'ha'), ...said('m', 'ha', 'ha'), finished()]],
  'a message that opens again with more words': [[started(), ...said('m', 'ha'), ...said('m', 'ha', 'ha'), finished()]],
  'thoughts that are had again': again(...thought('x', 'H', 'm', '. So', '!'), ...thought('x', 'Hm.')),
  'a call that is made again': again(...called('t', 'look'), toolResult('t')),
  'a call that is made again by chunks': again(args('t', '{"a"'), args(undefined, ':1'), args(undefined, '}'), toolResult('t')),
  'calls whose chunks come in turns': [
    [started(), args('t', '{"a"'), args('u', '{"b"'), args('t', ':'), args('u', ':2'), args('t', '1}'), args(undefined, ' '), args('u', '}'), finished()],
  ],
  'a question in the old way': [[started(), { type: 'CUSTOM', name: 'on_interrupt', value: 'Well?' }, ...said('m', 'Hi'), finished()], [started('r2'), finished('r2')]],
  'many results before their calls, which come in another order': [
    [started(), ...ids.map((id) => toolResult(id, id.repeat(100))), ...ids.toReversed().flatMap((id) => called(id, 'look')), ...said('m', 'Done', '.'), finished()],
  ],
  'messages in turns that a snapshot says otherwise': [
    [
      ...[started(), ...['m', 'n'].flatMap((id) => said(id, 'So ').slice(0, 2))],
      { type: 'MESSAGES_SNAPSHOT', messages: ['m', 'n'].map((id) => ({ id, role: 'assistant', content: 'Not "so" \ud83d'.repeat(50) })) },
      ...['\ude00', '\n', '"', 'é', '.'].flatMap((delta) => ['m', 'n'].flatMap((id) => said(id, delta).slice(1, 2))),
      ...['n', 'm'].flatMap((id) => said(id).slice(-1)),
      finished(),
    ],
  ],
  'many messages that are said again in turns': [
    [started(), ...ids.flatMap((id) => said(id, 'Hello', '.')), asks('r1')],
    [
      ...[started('r2'), ...ids.flatMap((id) => said(id, 'He').slice(0, 2)), ...ids.flatMap((id) => said(id, 'llo').slice(1, 2))],
      ...[...ids.flatMap((id) => said(id, id === 'c5' ? ' you' : '.').slice(1)), finished('r2')],
    ],
  ],
  'a result before its call': [[started(), toolResult('t'), ...called('t', 'look'), finished()]],
  'an encrypted value before what it belongs to': [
    [started(), encrypted('t'), encrypted('m'), ...called('t', 'look'), ...said('m', 'Hi'), { type: 'REASONING_START', messageId: 'x' }, encrypted('x'), { type: 'REASONING_END', messageId: 'x' }, finished()],
  ],
  'a thought that has ended before a failure': [[started(), ...thought('x', 'Hm'), { type: 'CUSTOM', name: 'own' }, { type: 'RUN_ERROR', message: 'No.' }]],
  'a snapshot that says what a message is in the middle of it': [
    [started(), ...said('m', 'Hal', 'lo').slice(0, 2), { type: 'MESSAGES_SNAPSHOT', messages: [{ id: 'm', role: 'assistant', content: 'Hel' }] }, ...said('m', 'lo').slice(1), finished()],
  ],
  'a snapshot that gives a message another id in the middle of it': [
    [
      ...[started(), ...called('t', 'look', '{}', { parentMessageId: 'm' }), ...said('m', 'Hel').slice(0, 2)],
      { type: 'MESSAGES_SNAPSHOT', messages: [{ id: 'n', role: 'assistant', content: 'Hel' }] },
      ...[...said('m', 'lo').slice(1), asks('r1')],
    ],
    [started('r2'), ...said('n', 'Hel', 'lo', '!'), finished('r2')],
  ],
  'a snapshot that has more of a call than was sent until its end': [
    [
      ...[started(), ...called('t', 'look', '{"a"'), ...called('u', 'look', '')],
      { type: 'MESSAGES_SNAPSHOT', messages: ['t', 'u'].map((id) => ({ id: `m-${id}`, role: 'assistant', toolCalls: [{ id, type: 'function', function: { name: 'look', arguments: '{"a":1}' } }] })) },
      ...[toolResult('t'), finished()],
    ],
  ],
  'a message that a snapshot tells first': [
    [started(), { type: 'MESSAGES_SNAPSHOT', messages: [{ id: 'm', role: 'assistant', content: 'Hel' }, { id: 's', role: 'system', content: 'Be kind.' }] }, ...said('m', 'Hel', 'lo'), finished()],
  ],
  'an encrypted value before a message that opens again': [[started(), encrypted('m'), ...said('m', 'Hi'), ...said('m', 'Ho', '!'), finished()]],
  'a declined call': [[...first.slice(0, -1), asks('r1', { id: 'no', toolCallId: 't' })], [started('r2'), toolResult('t', 'The person said no.'), ...said('n', 'Fine', '.'), finished('r2')]],
  'a call that is declined, asked about again and allowed': [
    [...first.slice(0, -1), asks('r1', { id: 'no', toolCallId: 't' })],
    [started('r2'), ...said('n', 'Really', '?'), asks('r2', { toolCallId: 't' })],
    [started('r3'), toolResult('t'), finished('r3')],
  ],
  'changes of a state that was there before': [
    [started(), { type: 'STATE_SNAPSHOT', snapshot: { list: [] } }, { type: 'ACTIVITY_SNAPSHOT', messageId: 'p', activityType: 'PLAN', content: { list: [] } }, asks('r1')],
    [
      ...[started('r2'), { type: 'STATE_DELTA', delta: [add('/list/-', 1)] }, { type: 'STATE_DELTA', delta: [add('/list/-', 2)] }],
      ...[3, 4].map((value) => ({ type: 'ACTIVITY_DELTA', messageId: 'p', activityType: 'PLAN', patch: [add('/list/-', value)] })),
      { type: 'STATE_DELTA', delta: [add('/no/where', 1)] },
      { type: 'ACTIVITY_DELTA', messageId: 'p', activityType: 'PLAN', patch: [add('/no/where', 1)] },
      { type: 'STATE_DELTA', delta: [add('/list/-', 5)] },
      { type: 'STATE_SNAPSHOT', snapshot: { list: ['new'] } },
      { type: 'ACTIVITY_SNAPSHOT', messageId: 'p', activityType: 'PLAN', content: { list: ['new'] }, replace: false },
      finished('r2'),
    ],
  ],
  'steps and subagents that are under way when a question comes': [
    [started(), step('STARTED'), step('STARTED'), scout('STARTED'), scout('FINISHED', { outcome: { type: 'suspended' } }), asks('r1')],
    [started('r2'), step('STARTED'), step('FINISHED'), step('FINISHED'), scout('STARTED'), scout('FINISHED', { result: 1 }), scout('STARTED'), finished('r2')],
  ],
}

/** Loses each AG-UI run after each of its chunks. */
async function expectLaw(legs: readonly (readonly object[])[], replay: Replay) {
  const whole = await playLegs(legs, replay)
  expect(whole.state.issues).toEqual([])
  expect(whole.failures).toEqual([])
  for (const [leg, events] of legs.entries()) {
    for (let cut = 1; cut < events.length; cut += 1) {
      const { facts, failures } = await playLegs(legs, replay, { leg, cuts: [cut] })
      const where = `${replay}, AG-UI run ${leg}, chunk ${cut}`
      expect(failures, where).toEqual([])
      expect(facts, where).toEqual(whole.facts)
    }
  }
  return whole
}

describe.each(ways)('a run that is lost after any chunk and taken up again (%s) is the run that it would have been', (replay) => {
  for (const [name, legs] of Object.entries(cases)) it(`with ${name}`, async () => void (await expectLaw(legs, replay)))

  it('with anything that is valid, also where all AG-UI runs have one id', async () => {
    for (let seed = 1; seed <= 8; seed += 1) await expectLaw(createLegs(seed, { hasOneId: seed % 4 === 0 }), replay)
  })

  it('and so is one that is lost twice', async () => {
    const random = createRandom(3)
    for (const legs of Object.values(cases)) {
      const leg = legs.length - 1
      const length = legs[leg]!.length
      const whole = await playLegs(legs, replay)
      for (let cut = 1; cut < length - 1; cut += 1) {
        const second = replay === 'after' ? cut + 1 + random.below(length - cut - 1) : 1 + random.below(length - 1)
        const { facts } = await playLegs(legs, replay, { leg, cuts: [cut, second] })
        expect(facts, `${replay} ${cut} ${second}`).toEqual(whole.facts)
      }
    }
  })
})

it('a runtime that names only some places is gone on with from the last of them, and what comes again is left out', async () => {
  const everyThird = (at: number) => at % 3 === 0
  for (const [name, legs] of Object.entries(cases)) {
    const whole = await playLegs(legs, 'after')
    for (const [leg, events] of legs.entries()) {
      for (let cut = 1; cut < events.length; cut += 1) {
        const cuts = cut + 2 < events.length ? [cut, cut + 2] : [cut]
        const { facts, failures } = await playLegs(legs, 'after', { leg, cuts }, everyThird)
        expect(failures, `${name}, AG-UI run ${leg}, chunk ${cut}`).toEqual([])
        expect(facts, `${name}, AG-UI run ${leg}, chunk ${cut}`).toEqual(whole.facts)
      }
    }
  }
})

it('a runtime that names several chunks alike and goes on where the wire was lost is believed', async () => {
  const events = [started(), ...said('m', 'a', 'b', 'c', 'd'), finished()]
  const frames = events.map((event, at) => `id: ${at < 4 ? 1 : at}\ndata: ${JSON.stringify(event)}\n\n`)
  const answers = [frames.slice(0, 4), frames.slice(4)].map((some) => streamText(some.join('')))
  const chat = createConversation(answers, { resume: { request: () => ({ url: '/again' }) } })
  await chat.run(undefined, undefined, 'stop')
  expect(await chat.resume()).toEqual([])
  expect(textOf(chat.state())).toEqual(['abcd'])
})

it('what is said again stands once, and what goes beyond it once more', async () => {
  const textsOf = async (name: string) => textOf((await playLegs(cases[name]!, 'after', { leg: 1, cuts: [3] })).state)
  expect(await textsOf('a message that is said again')).toEqual(['Hello'])
  expect(await textsOf('a message that is said again and goes on')).toEqual(['Hello', ' world', 'Bye.'])
  expect(await textsOf('another message under a known id')).toEqual(['Hello', 'Help me', 'Hello'])
  const callsOf = async (name: string) => Object.values((await playLegs(cases[name]!, 'after', { leg: 1, cuts: [2] })).state.toolCalls)
  expect(await callsOf('a call that is made again')).toMatchObject([{ arguments: '{"a":1}', status: 'completed' }])
  expect(await callsOf('a declined call')).toMatchObject([{ status: 'cancelled', reason: 'The person said no.' }])
  expect(await callsOf('a call that is declined, asked about again and allowed')).toMatchObject([{ status: 'completed' }])
})

it('chunks of thoughts that a whole stretch under the same id follows are followed by it', async () => {
  const chunks = { type: 'REASONING_MESSAGE_CHUNK', messageId: 'x', delta: 'Hm' }
  const { state, failures } = await playLegs([[started(), chunks, ...thought('x', ' so', '.'), finished()]], 'after')
  expect(failures).toEqual([])
  expect(Object.values(state.reasoning).map(({ content }) => content)).toEqual(['Hm', ' so.'])
})

describe('a cursor', () => {
  it('of the transport’s own goes back to it as it was, whatever the adapter put beside it', async () => {
    const asked: string[] = []
    const events = [started(), args('t', '{"a"'), args('u', '{"b"'), args('t', ':1}'), args('u', ':2}'), finished()]
    async function* send(from: number, to: number): AsyncGenerator<AgUiChunk> {
      for (let index = from; index < to; index += 1) yield { index, data: events[index], cursor: `{"at":${index}}` }
      if (to < events.length) throw new TypeError('lost')
    }
    const transport = createAsyncIterableTransport<AgUiRequest, AgUiChunk>(() => send(0, 4), {
      getCursor: ({ cursor }) => cursor,
      resume(_request, cursor) {
        asked.push(cursor)
        return send(4, events.length)
      },
    })
    const chat = createConversation([], { transport, resume: { request: () => ({ url: '' }) } })
    await chat.run(undefined, undefined, 'stop')
    expect(await chat.resume()).toEqual([])
    expect(asked).toEqual(['{"at":3}'])
    expect(Object.values(chat.state().toolCalls).map((call) => call.arguments)).toEqual(['{"a":1}', '{"b":2}'])
  })

  it('that storage has spoilt is refused', async () => {
    const chat = createConversation([[started()]], { resume: { request: () => ({ url: '/again' }) } })
    await chat.run(undefined, undefined, 'stop')
    const spoiltPlaces = [{ since: { count: 0, first: 'x' } }, { since: { count: 1 } }]
    const spoilt = [{ lanes: 'x' }, { messages: [{ id: 'm', at: -1 }] }, { calls: [{ id: 't' }] }, { early: [['t']] }]
    for (const rest of [...spoilt.map((progress) => ({ progress })), ...spoiltPlaces]) {
      const cursor = JSON.stringify({ after: '{"wireRunId":"r1","cursor":"1"}', ...rest })
      expect(await chat.resume(cursor)).toMatchObject([{ code: 'resume_unavailable' }])
    }
  })
})
