import fc from 'fast-check'
import {
  createInitialAgentState,
  getAgentEntityKey,
  reduceAgentEvents,
  reduceAgentState,
  replayAgentEvents,
} from 'redux-agent'
import type { AgentContentPart, AgentEvent, AgentMessageContent } from 'redux-agent'
import { describe, expect, it } from 'vitest'
import { createScript } from './createScript.ts'
import { deepFreeze } from './deepFreeze.ts'

type Content = string | AgentContentPart[]

function fold(contents: readonly Content[], options: { oneByOne?: boolean } = {}): AgentMessageContent {
  const script = createScript()
  const events: AgentEvent[] = [
    script.create('run.started', {}),
    script.create('message.started', { messageId: 'm', role: 'assistant' }),
    ...contents.map((delta) => script.create('message.delta', { messageId: 'm', delta })),
  ]
  deepFreeze(events)
  const state = options.oneByOne
    ? events.reduce((before, event) => reduceAgentState(deepFreeze(before), event), createInitialAgentState())
    : replayAgentEvents(events)
  return state.messages[getAgentEntityKey('r1', 'm')]!.content
}

describe('the content of a message', () => {
  it('stays text while text comes', () => {
    expect(fold(['a', '', 'b'])).toBe('ab')
    expect(fold([])).toBe('')
  })

  it('becomes parts with the first part, and neighbouring text is one part', () => {
    const image: AgentContentPart = { type: 'image', url: 'a.png' }
    expect(fold(['a', [image], 'b', [{ type: 'text', text: 'c' }], [{ type: 'acme.chart', data: [1] }], 'd'])).toEqual([
      { type: 'text', text: 'a' },
      image,
      { type: 'text', text: 'bc' },
      { type: 'acme.chart', data: [1] },
      { type: 'text', text: 'd' },
    ])
  })

  it('takes empty lists, and lists of empty text', () => {
    expect(fold([[]])).toEqual([])
    expect(fold(['a', [], 'b'])).toEqual([{ type: 'text', text: 'ab' }])
    expect(fold([[{ type: 'text', text: '' }], 'a'])).toEqual([{ type: 'text', text: 'a' }])
  })

  it('puts an emoji together that came in two halves', () => {
    expect(fold(['\ud83d', '\ude00'])).toBe('😀')
    expect(fold([[{ type: 'text', text: '\ud83d' }], [{ type: 'text', text: '\ude00' }]])).toEqual([
      { type: 'text', text: '😀' },
    ])
  })

  it('takes text of megabytes', () => {
    const text = 'x'.repeat(1024 * 1024)
    expect(fold([text, text])).toHaveLength(2 * 1024 * 1024)
  })

  it('is what the end says, where the end says it', () => {
    const script = createScript()
    const parts: AgentContentPart[] = [
      { type: 'text', text: 'a' },
      { type: 'text', text: 'b' },
    ]
    const state = replayAgentEvents([
      script.create('run.started', {}),
      script.create('message.started', { messageId: 'm', role: 'user', content: parts }),
      script.create('message.completed', { messageId: 'm' }),
      script.create('message.started', { messageId: 'n', role: 'assistant', content: 'draft' }),
      script.create('message.completed', { messageId: 'n', content: '' }),
    ])
    expect(Object.values(state.messages).map(({ content }) => content)).toEqual([[{ type: 'text', text: 'ab' }], ''])
    expect(parts).toHaveLength(2)
  })

  it('is the same however the text is cut, and however it is batched', () => {
    const piece = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 5 }),
      fc.string({ maxLength: 3 }).map((text): AgentContentPart[] => [{ type: 'text', text }]),
      fc.constant<AgentContentPart[]>([{ type: 'file', url: 'f' }]),
    )
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
        const whole = fold(pieces)
        expect(fold(pieces, { oneByOne: true })).toEqual(whole)
        const units = pieces.flatMap((entry): Content[] =>
          typeof entry === 'string' ? [...Array(entry.length)].map((_, at) => entry[at]!) : entry.map((part) => [part]),
        )
        expect(fold(units)).toEqual(whole)
      }),
    )
  })
})

describe('a batch', () => {
  it('writes into copies of its own alone', () => {
    const script = createScript()
    const list: AgentContentPart[] = [{ type: 'text', text: 'a' }]
    const before = replayAgentEvents([
      script.create('run.started', {}),
      script.create('message.started', { messageId: 'm', role: 'assistant', content: list }),
    ])
    const text = JSON.stringify(before)
    const next = reduceAgentEvents(before, [
      script.create('message.delta', { messageId: 'm', delta: 'b' }),
      script.create('message.delta', { messageId: 'm', delta: 'c' }),
    ])
    expect(JSON.stringify(before)).toBe(text)
    expect(list).toEqual([{ type: 'text', text: 'a' }])
    expect(next.messages[getAgentEntityKey('r1', 'm')]!.content).toEqual([{ type: 'text', text: 'abc' }])
    expect(next.runs).toBe(before.runs)
    expect(next.order).toBe(before.order)
  })

  it('takes ten thousand events without holding up the page', () => {
    const script = createScript()
    const events: AgentEvent[] = [
      script.create('run.started', {}),
      script.create('message.started', { messageId: 'm', role: 'assistant' }),
    ]
    for (let index = 0; index < 10_000; index += 1) {
      events.push(script.create('message.delta', { messageId: 'm', delta: '好' }))
    }
    const state = replayAgentEvents(events)
    expect(state.messages[getAgentEntityKey('r1', 'm')]!.content).toHaveLength(10_000)
  })
})
