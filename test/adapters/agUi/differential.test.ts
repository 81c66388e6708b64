import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { json, toSse } from '../openAI/createWire.ts'
import { readWithClient0, readWithClient1, readWithOurs, type Stream, type Verdict } from './clients.ts'
import { called, finished, interrupted, said, snapshot, started } from './runAgUi.ts'

const result = (toolCallId: string, content: unknown = 'ok') => ({
  type: 'TOOL_CALL_RESULT',
  messageId: `${toolCallId}-m`,
  toolCallId,
  content,
})
const text = (fields: object) => ({ type: 'TEXT_MESSAGE_CHUNK', ...fields })
const content = (messageId: string, delta: string) => ({ type: 'TEXT_MESSAGE_CONTENT', messageId, delta })

interface Case {
  readonly events: Stream
  /** Why theirs comes to something else, by client and by what differs; what is not named must agree. */
  readonly differs?: {
    readonly v1?: Partial<Record<keyof Verdict, string>>
    readonly v0?: Partial<Record<keyof Verdict, string>>
  }
}

const both = (reasons: Partial<Record<keyof Verdict, string>>) => ({ v1: reasons, v0: reasons })

const cases: Readonly<Record<string, Case>> = {
  'a message': { events: [started(), ...said('m1', 'Hel', 'lo'), finished()] },
  'several messages, calls and results': {
    events: [
      started(),
      ...said('m1', 'Let me look.'),
      ...called('t1', 'search', '{"q":1}', { parentMessageId: 'm1' }),
      ...called('t2', 'search', '{"q":2}', { parentMessageId: 'm1' }),
      result('t1', '{"hits":1}'),
      result('t2'),
      ...said('m2', 'There.'),
      finished(),
    ],
  },
  'calls without a message': {
    events: [started(), ...called('t1', 'a'), ...called('t2', 'b'), result('t1'), result('t2'), finished()],
  },
  'interleaved arguments': {
    events: [
      started(),
      { type: 'TOOL_CALL_START', toolCallId: 't1', toolCallName: 'a' },
      { type: 'TOOL_CALL_START', toolCallId: 't2', toolCallName: 'b' },
      { type: 'TOOL_CALL_ARGS', toolCallId: 't1', delta: '{"a"' },
      { type: 'TOOL_CALL_ARGS', toolCallId: 't2', delta: '{"b"' },
      { type: 'TOOL_CALL_ARGS', toolCallId: 't1', delta: ':1}' },
      { type: 'TOOL_CALL_ARGS', toolCallId: 't2', delta: ':2}' },
      { type: 'TOOL_CALL_END', toolCallId: 't1' },
      { type: 'TOOL_CALL_END', toolCallId: 't2' },
      result('t1'),
      result('t2'),
      finished(),
    ],
  },
  chunks: {
    events: [
      started(),
      text({ messageId: 'm1', delta: 'One ' }),
      text({ delta: 'two.' }),
      { type: 'TOOL_CALL_CHUNK', toolCallId: 't1', toolCallName: 'a', delta: '{"x":' },
      { type: 'TOOL_CALL_CHUNK', delta: '1}' },
      result('t1'),
      text({ messageId: 'm2', delta: 'Three.' }),
      finished(),
    ],
  },
  'chunks with a word of something else in between': {
    events: [
      started(),
      text({ messageId: 'm1', delta: 'A' }),
      { type: 'CUSTOM', name: 'x', value: 1 },
      text({ messageId: 'm1', delta: 'B' }),
      finished(),
    ],
  },
  'a message that opens again': { events: [started(), ...said('m1', 'one '), ...said('m1', 'more'), finished()] },
  'reasoning beside words': {
    events: [
      started(),
      { type: 'REASONING_START', messageId: 'x' },
      { type: 'REASONING_MESSAGE_START', messageId: 'x', role: 'reasoning' },
      { type: 'REASONING_MESSAGE_CONTENT', messageId: 'x', delta: 'Hm.' },
      { type: 'REASONING_MESSAGE_END', messageId: 'x' },
      { type: 'REASONING_END', messageId: 'x' },
      ...said('m1', 'So.'),
      finished(),
    ],
  },
  'shared state': {
    events: [
      started(),
      { type: 'STATE_SNAPSHOT', snapshot: { list: [1], n: null } },
      {
        type: 'STATE_DELTA',
        delta: [
          { op: 'add', path: '/list/-', value: 2 },
          { op: 'replace', path: '/n', value: 0 },
        ],
      },
      finished(),
    ],
  },
  'a change of state before any snapshot': {
    events: [started(), { type: 'STATE_DELTA', delta: [{ op: 'add', path: '/a', value: 1 }] }, finished()],
  },
  'a change of state that does not fit': {
    events: [
      started(),
      { type: 'STATE_SNAPSHOT', snapshot: { a: 1 } },
      { type: 'STATE_DELTA', delta: [{ op: 'remove', path: '/missing' }] },
      finished(),
    ],
  },
  'a snapshot of the messages': {
    events: [
      started(),
      ...said('m1', 'Hi'),
      snapshot(
        { id: 'q1', role: 'user', content: 'Hello' },
        { id: 'm1', role: 'assistant', content: 'Hi' },
        { id: 'm2', role: 'assistant', content: 'There.' },
      ),
      finished(),
    ],
  },
  'a snapshot that gives a message another id': {
    events: [
      started(),
      ...said('lc_run-1', 'Hi.'),
      snapshot(
        { id: 'q1', role: 'user', content: 'Hello' },
        { id: 'resp_1', role: 'assistant', content: 'Hi.' },
      ),
      finished(),
    ],
  },
  'a snapshot of a message that has opened again': {
    events: [
      started(),
      text({ messageId: 'm1', delta: 'One, ' }),
      ...said('m2', 'Two.'),
      text({ messageId: 'm1', delta: 'three' }),
      snapshot({ id: 'm1', role: 'assistant', content: 'One, three' }, { id: 'm2', role: 'assistant', content: 'Two.' }),
      text({ messageId: 'm1', delta: '.' }),
      finished(),
    ],
  },
  'a snapshot that leaves something out': {
    events: [
      started(),
      ...said('m1', 'Hi'),
      ...said('m2', 'There'),
      snapshot({ id: 'm2', role: 'assistant', content: 'There' }),
      finished(),
    ],
    differs: both({ texts: 'it takes it back; here events only add' }),
  },
  'a snapshot that says otherwise what has ended': {
    events: [
      started(),
      ...said('m1', 'Hallo'),
      snapshot({ id: 'm1', role: 'assistant', content: 'Hello' }),
      finished(),
    ],
    differs: both({ texts: 'it takes the new words; here what has ended stands' }),
  },
  'changes of state after one that does not fit': {
    events: [
      started(),
      { type: 'STATE_SNAPSHOT', snapshot: { a: 1 } },
      { type: 'STATE_DELTA', delta: [{ op: 'remove', path: '/missing' }] },
      { type: 'STATE_DELTA', delta: [{ op: 'add', path: '/b', value: 2 }] },
      finished(),
    ],
    differs: both({ state: 'it goes on with a state that may not be the runtime’s' }),
  },
  'a change of state of a kind that is not known': {
    events: [
      started(),
      { type: 'STATE_SNAPSHOT', snapshot: { a: 1 } },
      { type: 'STATE_DELTA', delta: [{ op: 'merge', path: '/a' }, { op: 'add', path: '/b', value: 2 }] },
      finished(),
    ],
    differs: { v1: { state: 'it passes over the operation, and takes the rest of the patch' } },
  },
  'arguments after the result': {
    events: [
      started(),
      { type: 'TOOL_CALL_START', toolCallId: 't1', toolCallName: 'a' },
      { type: 'TOOL_CALL_ARGS', toolCallId: 't1', delta: '{}' },
      result('t1'),
      { type: 'TOOL_CALL_ARGS', toolCallId: 't1', delta: ' ' },
      { type: 'TOOL_CALL_END', toolCallId: 't1' },
      finished(),
    ],
    differs: both({ calls: 'it adds to a call that is over' }),
  },
  'LangGraph’s question': {
    events: [started(), { type: 'CUSTOM', name: 'on_interrupt', value: 'Well?' }, finished()],
    differs: both({ asked: 'it leaves it to the app' }),
  },
  'fields as Python names them': {
    events: [
      { type: 'RUN_STARTED', thread_id: 's1', run_id: 'r1' },
      { type: 'TEXT_MESSAGE_START', message_id: 'm1', role: 'assistant', raw_event: null },
      { type: 'TEXT_MESSAGE_CONTENT', message_id: 'm1', delta: 'Hi' },
      { type: 'TEXT_MESSAGE_END', message_id: 'm1' },
      { type: 'RUN_FINISHED', thread_id: 's1', run_id: 'r1' },
    ],
    differs: both({ isRejected: 'it knows one way alone', texts: 'it knows one way alone' }),
  },
  'a last frame without the empty line after it': {
    events: toSse([started(), ...said('m1', 'Hi'), finished()]).trimEnd(),
    differs: both({ isRejected: 'it reads what may have been cut' }),
  },
  'an interrupt': {
    events: [
      started(),
      ...said('m1', 'May I?'),
      ...called('t1', 'send'),
      interrupted([
        { id: 'i1', reason: 'tool_call', toolCallId: 't1' },
        { id: 'i2', reason: 'input_required', message: 'Name?' },
      ]),
    ],
  },
  'fields that are not known': {
    events: [{ ...started(), seq: 1 }, ...said('m1', 'Hi').map((event) => ({ ...event, seq: 2 })), finished()],
  },
  'nulls of before 1.0': {
    events: [
      started(),
      { type: 'TOOL_CALL_START', toolCallId: 't1', toolCallName: 'a', parentMessageId: null },
      { type: 'TOOL_CALL_ARGS', toolCallId: 't1', delta: '{}' },
      { type: 'TOOL_CALL_END', toolCallId: 't1' },
      result('t1'),
      { ...finished(), outcome: null },
    ],
  },
  'retired thinking events': {
    events: [
      started(),
      { type: 'THINKING_START' },
      { type: 'THINKING_TEXT_MESSAGE_START' },
      { type: 'THINKING_TEXT_MESSAGE_CONTENT', delta: 'Hm.' },
      { type: 'THINKING_TEXT_MESSAGE_END' },
      { type: 'THINKING_END' },
      ...said('m1', 'So.'),
      finished(),
    ],
  },
  'the run’s own failure': {
    events: [started(), ...said('m1', 'Well'), { type: 'RUN_ERROR', message: 'No.', code: 'x' }],
    // Theirs resolves runAgent and tells subscribers; ours reads the stream to a good end as well: the run has failed.
  },
  'an unknown type': {
    events: [started(), { type: 'NEW_IN_2_0' }, ...said('m1', 'Hi'), finished()],
    differs: { v0: { isRejected: 'a type that it does not know ends its run', texts: 'it stops at the type' } },
  },
  'a cancelled run': {
    events: [started(), ...said('m1', 'Hi'), finished('r1', { outcome: { type: 'cancelled' } })],
    differs: { v0: { isRejected: 'it does not know the outcome', texts: 'what came in the same burst is lost' } },
  },
  'an unknown outcome': {
    events: [started(), ...said('m1', 'Hi'), finished('r1', { outcome: { type: 'new' } })],
    differs: { v0: { isRejected: 'it does not know the outcome', texts: 'what came in the same burst is lost' } },
  },
  'an end without ids': {
    events: [started(), ...said('m1', 'Hi'), { type: 'RUN_FINISHED' }],
    differs: both({ isRejected: 'it asks for ids that it does not use', texts: 'what came in the same burst is lost' }),
  },
  '[DONE] at the end': {
    events: [started(), ...said('m1', 'Hi'), finished(), '[DONE]'],
    differs: both({ isRejected: 'it takes the closing word for JSON', texts: 'what came in the same burst is lost' }),
  },
  'an end that never comes': {
    events: [started(), ...said('m1', 'Hi')],
    differs: both({ isRejected: 'a cut stream is a good end to it' }),
  },
  'an error after the end': {
    events: [started(), ...said('m1', 'Hi'), finished(), { type: 'RUN_ERROR', message: 'Late.' }],
  },
  'lines that end in CR LF': {
    events: toSse([started(), ...said('m1', 'Hi'), finished()]).replaceAll('\n', '\r\n'),
    differs: both({ isRejected: 'it reads LF alone', texts: 'it reads LF alone' }),
  },
  'JSON instead of a stream': {
    events: json({ ok: true }),
    differs: both({ isRejected: 'it is an empty run that went well to it' }),
  },
  'a frame that is cut after good words': {
    events: `${toSse([started(), ...said('m1', 'Hi')])}data: {"type":\n\n`,
    differs: both({ texts: 'what came in the same burst is lost' }),
  },
  'a result that comes twice': {
    events: [
      started(),
      { type: 'TOOL_CALL_START', toolCallId: 't1', toolCallName: 'a' },
      { type: 'TOOL_CALL_ARGS', toolCallId: 't1', delta: '{}' },
      { type: 'TOOL_CALL_END', toolCallId: 't1' },
      result('t1', 'first'),
      result('t1', 'second'),
      finished(),
    ],
    differs: both({ results: 'it keeps two messages for one call; a fact that is final stands' }),
  },
  'content of a message that never began': {
    events: [started(), content('m1', 'Hi'), finished()],
  },
}

describe('the same chunks through the real clients and through ours', () => {
  // Theirs tells the console what it drops.
  beforeEach(() => {
    for (const method of ['warn', 'error', 'log'] as const) {
      vi.spyOn(console, method).mockImplementation(() => undefined)
    }
  })
  afterEach(() => void vi.restoreAllMocks())

  for (const [name, { events, differs = {} }] of Object.entries(cases)) {
    it(`come to the same, or differ for a reason: ${name}`, async () => {
      const ours = await readWithOurs(events)
      const theirs = { v1: await readWithClient1(events), v0: await readWithClient0(events) }
      for (const version of ['v1', 'v0'] as const) {
        const reasons = differs[version] ?? {}
        for (const key of Object.keys(ours) as (keyof Verdict)[]) {
          const label = `${version} ${key}: ${reasons[key] ?? 'no reason'}`
          if (reasons[key] === undefined) expect(ours[key], label).toEqual(theirs[version][key])
          // A difference that is gone is to be struck from the list.
          else expect(ours[key], label).not.toEqual(theirs[version][key])
        }
      }
    })
  }
})
