import { createNdjsonTransport, type NdjsonTransportOptions } from 'redux-agent'
import { describe, expect, it } from 'vitest'
import { answerWith, readAll } from './readSse.ts'

const encode = (text: string) => new TextEncoder().encode(text)
const asJsonLines = { headers: { 'content-type': 'application/x-ndjson; charset=utf-8' } }

function read(pieces: readonly Uint8Array[], options: Partial<NdjsonTransportOptions<string, unknown>> = {}) {
  const transport = createNdjsonTransport<string, unknown>({
    request: (url) => ({ url }),
    parse: (line) => line,
    fetch: answerWith(pieces, asJsonLines),
    ...options,
  })
  return readAll(transport.open('https://example.com/stream', new AbortController().signal))
}

describe('the ndjson transport', () => {
  it('gives the same lines wherever the bytes are cut, empty and CRLF lines included', async () => {
    const text = '{"a":"é€😀"}\r\n\n  \n[1,"\\n"]\n"x"\nnull\n{"last":true}'
    const lines = [{ a: 'é€😀' }, [1, '\n'], 'x', null, { last: true }]
    const bytes = encode(text)
    for (let cut = 0; cut <= bytes.length; cut += 1) {
      const { messages, error } = await read([bytes.slice(0, cut), bytes.slice(cut)])
      expect(error).toBeUndefined()
      expect(messages).toEqual(lines)
    }
    const { messages } = await read([...bytes].map((byte) => Uint8Array.of(byte)))
    expect(messages).toEqual(lines)
  })

  it('says which line is not JSON, without a word of it, after all lines before it', async () => {
    const { messages, error } = await read([encode('{"a":1}\n\nsecret words\n{"b":2}\n')])
    expect(messages).toEqual([{ a: 1 }])
    expect(error).toMatchObject({ code: 'invalid_frame', message: 'ndjson: chunk 1: Line 3 of the stream is not JSON.' })
    expect((error as Error).cause).toBeUndefined()
  })

  it('calls a last line that was cut off a loss, whether or not an end is known', async () => {
    const { messages, error } = await read([encode('{"a":1}\n{"b":')])
    expect(messages).toEqual([{ a: 1 }])
    expect(error).toMatchObject({ code: 'incomplete', retryable: true })
  })

  it('ends at its last chunk, and is incomplete where that does not come', async () => {
    const isEnd = (chunk: unknown) => (chunk as { done?: boolean }).done === true
    const whole = await read([encode('{"a":1}\n{"done":true}\n{"late":1}\n')], { isEnd })
    expect(whole).toEqual({ messages: [{ a: 1 }, { done: true }], error: undefined })
    const cut = await read([encode('{"a":1}\n')], { isEnd })
    expect(cut.error).toMatchObject({ code: 'incomplete', retryable: true })
  })

  it('bounds a line, also one that comes in many pieces', async () => {
    const piece = encode('x'.repeat(1000))
    const { error } = await read(Array.from({ length: 20 }, () => piece), { maxBufferSize: 10_000 })
    expect(error).toMatchObject({ code: 'buffer_overflow', retryable: true })
    const { messages } = await read([encode(`"${'y'.repeat(5000)}"\n`)], { maxBufferSize: 10_000 })
    expect(messages).toEqual(['y'.repeat(5000)])
  })

  it('takes a line of megabytes in a thousand pieces', async () => {
    const piece = encode('z'.repeat(3000))
    const { messages } = await read([encode('"'), ...Array.from({ length: 1000 }, () => piece), encode('"\n')])
    expect(messages).toEqual(['z'.repeat(3_000_000)])
  })

  it.each([
    ['another content type', { headers: { 'content-type': 'text/html' } }, { code: 'content_type' }],
    ['a refusal', { status: 401, headers: {} }, { code: 'http_status', status: 401, retryable: false }],
    ['too much', { status: 429, headers: { 'retry-after': '2' } }, { code: 'http_status', retryable: true, retryAfter: 2000 }],
    ['a failure', { status: 503, headers: {} }, { code: 'http_status', retryable: true }],
  ])('tells %s from a stream', async (_name, init, expected) => {
    const { messages, error } = await read([], { fetch: answerWith([encode('<html>')], init) })
    expect(messages).toEqual([])
    expect(error).toMatchObject(expected)
  })

  it('asks for what it reads, and takes the content types it is told to', async () => {
    const accepts: unknown[] = []
    const answer = answerWith([encode('{"a":1}\n')], { headers: { 'content-type': 'application/json' } })
    const { messages } = await read([], {
      mediaTypes: ['application/json'],
      fetch: (url, init) => {
        accepts.push((init!.headers as Record<string, string>).accept)
        return answer(url, init)
      },
    })
    expect(messages).toEqual([{ a: 1 }])
    expect(accepts).toEqual(['application/json'])
  })

  it('is taken up after a cursor by a request of its own, with headers of its own', async () => {
    const requests: { url: string; token: string }[] = []
    let token = 0
    const transport = createNdjsonTransport<string, { seq: number }>({
      request: (url) => ({ url, headers: { authorization: String((token += 1)) } }),
      resume: async (url, cursor) => ({ url: `${url}?after=${cursor}`, headers: { authorization: String((token += 1)) } }),
      parse: (line) => line as { seq: number },
      getCursor: ({ seq }) => String(seq),
      fetch: (url, init) => {
        requests.push({ url: String(url), token: (init!.headers as Record<string, string>).authorization! })
        return answerWith([encode('{"seq":1}\n')], asJsonLines)(url, init)
      },
    })
    expect(transport.kind).toBe('http.ndjson')
    const { signal } = new AbortController()
    const { messages } = await readAll(transport.open('https://example.com/a', signal))
    await readAll(transport.resume!('https://example.com/a', transport.getCursor!(messages[0]!)!, signal))
    expect(requests).toEqual([
      { url: 'https://example.com/a', token: '1' },
      { url: 'https://example.com/a?after=1', token: '2' },
    ])
  })
})
