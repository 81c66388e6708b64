import type { AgentTransport } from '../provider/agentTransport.ts'
import { AgentTransportError } from './agentTransportError.ts'
import { createNdjsonParser, type NdjsonLine } from './createNdjsonParser.ts'
import { createHttpStreamTransport, type HttpStreamOptions } from './httpStream.ts'

/** What a stream of JSON lines is asked for with, and what its lines mean. */
export interface NdjsonTransportOptions<Request, Chunk>
  extends Omit<HttpStreamOptions<Request, Chunk, NdjsonLine>, 'parse'> {
  /** Makes a line's chunk of its JSON value; `undefined` skips it. What it throws ends the stream as `invalid_frame`. */
  parse: (value: unknown, request: Request) => Chunk | undefined
  /** What the answer's content type may be; by default the names that JSON lines go by. */
  mediaTypes?: readonly [string, ...string[]] | undefined
}

const usualMediaTypes: readonly [string, ...string[]] = [
  'application/x-ndjson',
  'application/ndjson',
  'application/jsonl',
  'application/x-jsonlines',
]

/**
 * Makes a transport over lines of JSON by `fetch`, with all that `createSseTransport` does: status and content type are
 * checked before anything is parsed, bytes may be cut anywhere, an empty line keeps the connection alive. `parse` gets
 * the value of each line. A last line that was cut off makes the stream `incomplete`, which is retryable.
 *
 * @experimental
 * @example
 * const transport = createNdjsonTransport({
 *   request: (body: object) => ({ url: '/generate', body: JSON.stringify(body) }),
 *   parse: (line) => chunkSchema.parse(line),
 * })
 */
export function createNdjsonTransport<Request, Chunk>(
  options: NdjsonTransportOptions<Request, Chunk>,
): AgentTransport<Request, Chunk> {
  const { mediaTypes = usualMediaTypes, parse, ...rest } = options
  return createHttpStreamTransport<Request, Chunk, NdjsonLine>(
    { ...rest, parse: (line, request) => parse(readLine(line), request) },
    { kind: 'http.ndjson', name: 'ndjson', mediaTypes, createParser: createNdjsonParser },
  )
}

function readLine({ text, number }: NdjsonLine): unknown {
  try {
    return JSON.parse(text)
  } catch {
    // What JSON.parse says quotes the text, so it is not the cause.
    throw new AgentTransportError('invalid_frame', `Line ${number} of the stream is not JSON.`)
  }
}
