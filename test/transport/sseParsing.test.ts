import type { SseMessage } from 'redux-agent'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseWholeSse } from './parseWholeSse.ts'
import { readSse, retryOf } from './readSse.ts'
import { sseInputs, toBytes } from './sseInputs.ts'

const show = ({ event, data, id }: SseMessage) => `${event}:${data}${id && `#${id}`}`
const piecesOf = (bytes: Uint8Array, size: number) =>
  Array.from({ length: Math.ceil(bytes.length / size) }, (_, index) => bytes.subarray(index * size, (index + 1) * size))

async function readMeaning(pieces: readonly Uint8Array[]) {
  const { messages, error } = await readSse(pieces)
  return { messages: messages.map(show), retry: retryOf(error) }
}

describe.each(sseInputs)('$name', ({ bytes, messages, retry }) => {
  it('is what the standard says', () => {
    const whole = parseWholeSse(bytes)
    expect({ messages: whole.messages.map(show), retry: whole.retry }).toEqual({ messages, retry })
  })

  it('is read whole, and cut in two anywhere', async () => {
    for (let at = 0; at <= bytes.length; at += 1) {
      expect(await readMeaning([bytes.subarray(0, at), bytes.subarray(at)]), `cut at ${at}`).toEqual({
        messages,
        retry,
      })
    }
  })

  it('is read byte by byte, also with nothing between the bytes', async () => {
    const single = piecesOf(bytes, 1)
    const spaced = [new Uint8Array(), ...single.flatMap((byte) => [byte, new Uint8Array()])]
    expect(await readMeaning(single)).toEqual({ messages, retry })
    expect(await readMeaning(spaced)).toEqual({ messages, retry })
  })
})

it('reads any stream in any pieces as the standard reads it whole', async () => {
  const token = fc.constantFrom(
    'data',
    'id',
    'event',
    'retry',
    ':',
    ': ',
    ' ',
    '\n',
    '\r',
    '\r\n',
    '\n\n',
    'x',
    '1',
    '\0',
    'é',
    '\ufeff',
    'i',
    'd',
  )
  const stream = fc.array(token, { maxLength: 40 }).map((tokens) => toBytes(tokens.join('')))
  const cuts = fc.array(fc.nat(60), { maxLength: 8 }).map((points) => points.toSorted((a, b) => a - b))
  await fc.assert(
    fc.asyncProperty(stream, cuts, async (bytes, points) => {
      const pieces = [0, ...points].map((from, index) => bytes.subarray(from, points[index] ?? bytes.length))
      const read = await readSse(pieces)
      const whole = parseWholeSse(bytes)
      expect(read.messages).toEqual(whole.messages)
      expect(retryOf(read.error)).toBe(whole.retry === undefined ? undefined : Math.min(whole.retry, 60_000))
    }),
    { numRuns: 1500 },
  )
})

describe('size', () => {
  it('reads a line of 256 KB in small pieces', async () => {
    const text = 'x'.repeat(256 * 1024)
    const { messages } = await readSse(piecesOf(toBytes(`data: ${text}\n\n`), 1000))
    expect(messages).toHaveLength(1)
    expect(messages[0]!.data === text).toBe(true)
  })

  it('reads a line of 8 MB in pieces of 1 KB', async () => {
    const bytes = new Uint8Array(8 * 1024 * 1024).fill(0x78)
    bytes.set(toBytes('data: '))
    bytes.set(toBytes('\n\n'), bytes.length - 2)
    const { messages } = await readSse(piecesOf(bytes, 1024), { maxBufferSize: 16 * 1024 * 1024 })
    expect(messages[0]!.data).toHaveLength(bytes.length - 8)
  })

  it('reads an id of 8 MB in pieces of 256 bytes', async () => {
    const id = 'x'.repeat(8 * 1024 * 1024)
    const bytes = toBytes(`id: ${id}\ndata: x\n\n`)
    const { messages } = await readSse(piecesOf(bytes, 256), { maxBufferSize: 16 * 1024 * 1024 })
    expect(messages.map((message) => message.id === id)).toEqual([true])
  })

  it('reads a message of 2000 lines', async () => {
    const { messages } = await readSse([toBytes('data: x\n'.repeat(2000), '\n')])
    expect(messages).toEqual([{ event: 'message', id: '', data: Array.from({ length: 2000 }, () => 'x').join('\n') }])
  })

  it('reads 10,000 messages of one piece', async () => {
    const { messages } = await readSse([toBytes('data: x\n\n'.repeat(10_000))])
    expect(messages).toHaveLength(10_000)
  })

  it.each([
    ['one line', [`data: ${'x'.repeat(300)}`]],
    ['many lines of data', Array.from({ length: 60 }, () => 'data: xxxxx\n')],
    ['an id', ['id: ', 'x'.repeat(300)]],
  ])('gives up a message past maxBufferSize: %s', async (_kind, texts) => {
    const pieces = ['data: first\n\n', ...texts, 'and more', '\n\n'].map((text) => toBytes(text))
    const { messages, error } = await readSse(pieces, { maxBufferSize: 200 })
    expect(messages.map(show)).toEqual(['message:first'])
    expect(error).toMatchObject({ name: 'AgentTransportError', code: 'buffer_overflow', retryable: true })
  })
})
