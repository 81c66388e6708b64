import { describe, expect, it } from 'vitest'
import { readRecordings } from '../openAI/readRecordings.ts'
import { createResponseScript, withoutNumbers } from './createResponseScript.ts'
import { answerOf, callsOf, runResponse as run } from './runResponse.ts'

describe('a response', () => {
  it('is a message that streams, with the person’s own before it', async () => {
    const script = createResponseScript()
    script.message('Hi there', 4)
    const { events } = await run(script.complete({ usage: { input_tokens: 3, output_tokens: 2, total_tokens: 5 } }))
    expect(events.map(({ type, payload }) => ({ type, ...payload }))).toEqual([
      { type: 'run.started' },
      { type: 'message.started', messageId: 'user', role: 'user', content: 'Hello' },
      { type: 'message.completed', messageId: 'user' },
      { type: 'message.started', messageId: 'msg_0', role: 'assistant' },
      { type: 'message.delta', messageId: 'msg_0', delta: 'Hi t' },
      { type: 'message.delta', messageId: 'msg_0', delta: 'here' },
      { type: 'message.completed', messageId: 'msg_0' },
      {
        type: 'run.completed',
        output: { finishReason: 'stop', responseId: 'resp_1' },
        usage: { inputTokens: 3, outputTokens: 2, totalTokens: 5 },
      },
    ])
  })

  it('is read whole where its text comes by its end alone, or without being announced', async () => {
    const whole = { type: 'message', id: 'm', role: 'assistant', content: [{ type: 'output_text', text: 'All.' }] }
    const lastWord = [{ type: 'response.completed', response: { id: 'r', status: 'completed', output: [whole] } }]
    expect(answerOf((await run(lastWord)).state)?.content).toBe('All.')
    const unannounced = [
      { type: 'response.output_text.delta', item_id: 'm', delta: 'Al' },
      { type: 'response.output_text.delta', item_id: 'm', delta: 'l.' },
      { type: 'response.output_text.done', item_id: 'm', text: 'All.' },
      ...lastWord,
    ]
    expect(answerOf((await run(unannounced)).state)).toMatchObject({ content: 'All.', status: 'completed' })
    const byDone = [
      { type: 'response.output_text.done', item_id: 'm', output_index: 0, text: 'All.' },
      { type: 'response.output_item.done', output_index: 0, item: whole },
      ...lastWord,
    ]
    expect(answerOf((await run(byDone)).state)?.content).toBe('All.')
  })

  it('whose items get other ids in the end says nothing twice', async () => {
    const script = createResponseScript()
    script.message('Once.')
    const other = {
      type: 'message',
      id: 'another',
      role: 'assistant',
      content: [{ type: 'output_text', text: 'Once.' }],
    }
    const { state } = await run(script.complete({ output: [other] }))
    expect(Object.values(state.messages).map(({ content }) => content)).toEqual(['Hello', 'Once.'])
  })

  it('whose chunks come again, or are all numbered alike, says nothing twice and leaves nothing out', async () => {
    const script = createResponseScript()
    script.message('ha ha ha', 3)
    const chunks = script.complete()
    const { state } = await run(chunks)
    const twice = await run(chunks.flatMap((chunk) => [chunk, chunk]))
    expect(twice.state.messages).toEqual(state.messages)
    const again = await run([...chunks.slice(0, 5), ...chunks])
    expect(again.state.messages).toEqual(state.messages)
    const alike = await run(chunks.map((chunk) => ({ ...chunk, sequence_number: 0 })))
    expect(answerOf(alike.state)?.content).toBe('ha ha ha')
    const without = await run(withoutNumbers(chunks))
    expect(without.state.messages).toEqual(state.messages)
    const wild = await run(chunks.map((chunk) => ({ ...chunk, sequence_number: Number.MAX_SAFE_INTEGER })))
    expect(answerOf(wild.state)?.content).toBe('ha ha ha')
  })

  it('passes over what it does not know', async () => {
    const script = createResponseScript()
    script.send({ type: 'keepalive' })
    script.send({ type: 'response.something.new', item_id: 'x', delta: { a: 1 } })
    script.send({ type: 'response.newer' })
    script.begin({ type: 'novelty', id: 'n' })
    script.done({ type: 'novelty', id: 'n' })
    script.message('Hi')
    const { state } = await run(script.complete())
    expect(answerOf(state)?.content).toBe('Hi')
    expect(state.order).toHaveLength(2)
  })

  it('has its sources after its text, as parts under their own names', async () => {
    const annotations = [
      { type: 'url_citation', url: 'https://example.com', start_index: 0, end_index: 2 },
      { type: 'file_citation', file_id: 'f' },
    ]
    const script = createResponseScript()
    script.message('See here', 4, { annotations })
    const { state } = await run(script.complete())
    expect(answerOf(state)?.content).toEqual([
      { type: 'text', text: 'See here' },
      { type: 'openai.url_citation', data: annotations[0] },
      { type: 'openai.file_citation', data: annotations[1] },
    ])
  })

  it('that refuses says so, and shows its words', async () => {
    const item = { type: 'message', id: 'm', role: 'assistant', content: [{ type: 'refusal', refusal: 'I cannot.' }] }
    const script = createResponseScript()
    script.begin({ ...item, content: [] })
    script.send({ type: 'response.refusal.delta', item_id: 'm', output_index: 0, content_index: 0, delta: 'I ' })
    script.send({ type: 'response.refusal.delta', item_id: 'm', output_index: 0, content_index: 0, delta: 'cannot.' })
    script.send({
      type: 'response.refusal.done',
      item_id: 'm',
      output_index: 0,
      content_index: 0,
      refusal: 'I cannot.',
    })
    script.done(item)
    const { state, run: ended } = await run(script.complete())
    expect(answerOf(state)?.content).toBe('I cannot.')
    expect(ended.output).toEqual({ finishReason: 'stop', responseId: 'resp_1', refused: true })
    const whole = await run([{ type: 'response.completed', response: { id: 'r', output: [item] } }])
    expect(whole.run.output).toMatchObject({ refused: true })
  })
})

describe('the ends of a response', () => {
  const begun = () => {
    const script = createResponseScript()
    script.begin({ type: 'message', id: 'm', role: 'assistant', content: [] })
    script.send({
      type: 'response.output_text.delta',
      item_id: 'm',
      output_index: 0,
      content_index: 0,
      delta: 'So far',
    })
    script.begin({ type: 'web_search_call', id: 'w' })
    return script
  }

  it.each(['max_output_tokens', 'content_filter'])('incomplete by %s keeps what was said', async (reason) => {
    const { state, run: ended } = await run(begun().end('incomplete', { incomplete_details: { reason } }))
    expect(ended).toMatchObject({ status: 'completed', output: { finishReason: reason } })
    expect(answerOf(state)).toMatchObject({ content: 'So far', status: 'completed' })
    expect(callsOf(state)).toMatchObject([{ status: 'cancelled', reason: 'It did not come to its end.' }])
  })

  it('failed says the code and none of the words', async () => {
    const error = { code: 'server_error', message: 'secret words' }
    const { state, run: ended } = await run(begun().end('failed', { error }))
    expect(ended).toMatchObject({ status: 'failed', error: { code: 'server_error', retryable: true } })
    expect(answerOf(state)).toMatchObject({ content: 'So far', status: 'failed' })
    expect(JSON.stringify(state)).not.toContain('secret')
  })

  it.each([
    { type: 'error', code: 'rate_limit_exceeded', message: 'secret', param: null },
    { type: 'error', error: { type: 'rate_limit_exceeded', message: 'secret' } },
    { error: { code: 'rate_limit_exceeded', message: 'secret' } },
  ])('by an error event is one end, whatever comes after it', async (event) => {
    const script = begun()
    script.send(event)
    const { state, run: ended } = await run(script.end('failed', { error: { code: 'other' } }))
    expect(ended).toMatchObject({ status: 'failed', error: { code: 'rate_limit_exceeded', retryable: true } })
    expect(JSON.stringify(state)).not.toContain('secret')
  })

  it.each(['cancelled', 'failed', 'completed'] as const)(
    'cancelled, told as %s, cancels what is open',
    async (told) => {
      const { state, run: ended } = await run(begun().end(told, { status: 'cancelled' }))
      expect(ended.status).toBe('cancelled')
      expect(answerOf(state)).toMatchObject({ content: 'So far', status: 'cancelled' })
    },
  )
})

describe('reasoning', () => {
  it('shows each part of a summary, and its own text, as it streams', async () => {
    const item = {
      type: 'reasoning',
      id: 'rs',
      summary: [
        { type: 'summary_text', text: 'First.' },
        { type: 'summary_text', text: 'Second.' },
      ],
      content: [{ type: 'reasoning_text', text: 'Raw.' }],
    }
    const script = createResponseScript()
    script.begin({ ...item, summary: [], content: [] })
    const at = { item_id: 'rs', output_index: 0 }
    for (const delta of ['Fir', 'st.']) {
      script.send({ type: 'response.reasoning_summary_text.delta', ...at, summary_index: 0, delta })
    }
    script.send({ type: 'response.reasoning_summary_text.done', ...at, summary_index: 0, text: 'First.' })
    script.send({ type: 'response.reasoning_summary_text.done', ...at, summary_index: 1, text: 'Second.' })
    script.send({ type: 'response.reasoning_text.delta', ...at, content_index: 0, delta: 'Raw.' })
    script.done(item)
    const { state } = await run(script.complete())
    expect(Object.values(state.reasoning).map(({ id, content, status }) => [id, content, status])).toEqual([
      ['rs:summary:0', 'First.', 'completed'],
      ['rs:summary:1', 'Second.', 'completed'],
      ['rs:text:0', 'Raw.', 'completed'],
    ])
  })

  it('without a word is none; what is encrypted is kept for a service that keeps nothing, and hidden', async () => {
    const item = { type: 'reasoning', id: 'rs', summary: [], encrypted_content: 'gAAA' }
    const script = () => {
      const made = createResponseScript()
      made.begin({ ...item, encrypted_content: 'g' })
      made.done(item)
      made.message('Hi')
      return made.complete()
    }
    expect((await run(script())).state.reasoning).toEqual({})
    const { state } = await run(script(), { store: false })
    expect(Object.values(state.reasoning)).toMatchObject([
      { content: '', redacted: true, status: 'completed', meta: { hidden: true, openai: { item } } },
    ])
  })
})

describe('a response in the background', () => {
  it('is a task that waits, runs and ends', async () => {
    const script = createResponseScript()
    script.message('Hi')
    const { events, state } = await run(script.complete(), { background: true })
    expect(events.filter(({ type }) => type.startsWith('task.')).map(({ type }) => type)).toEqual([
      'task.created',
      'task.updated',
      'task.completed',
    ])
    expect(Object.values(state.tasks)).toMatchObject([{ id: 'resp_1', title: 'Background response' }])
  })
})

describe('recordings of real services', () => {
  it('are read whole, without an issue', async () => {
    for (const { name, chunks } of readRecordings('openai-responses')) {
      // A recording may hold several responses, one after the other.
      const starts = chunks.flatMap(({ type }, index) => (type === 'response.created' ? [index] : []))
      for (const [number, start] of starts.entries()) {
        const part = chunks.slice(start, starts[number + 1])
        const label = `${name} ${number}`
        const { events, state, run: ended } = await run(part, { store: false })
        const said = part.map(({ type, delta }) => (type === 'response.output_text.delta' ? delta : '')).join('')
        const text = events.map((event) =>
          event.type === 'message.delta' && typeof event.payload.delta === 'string' ? event.payload.delta : '',
        )
        expect(text.join(''), label).toBe(said)
        for (const call of callsOf(state))
          if (call.text !== '') expect(() => JSON.parse(call.text), label).not.toThrow()
        const isParked = name.includes('mcp-tool-approval.1')
        expect(ended.status, label).toBe(isParked ? 'running' : name.includes('error') ? 'failed' : 'completed')
        expect(Object.values(state.approvals), label).toHaveLength(isParked ? 1 : 0)
        const ends = events.filter(({ type }) => /^run\.(completed|failed|cancelled)$/.test(type))
        expect(ends, label).toHaveLength(isParked ? 0 : 1)
      }
    }
  })
})
