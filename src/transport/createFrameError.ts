import { AgentTransportError } from './agentTransportError.ts'

/** The error of a chunk that is not what it should be: it names the chunk and says `what` is wrong, without its content. */
export function createFrameError(
  chunk: { adapter: string; chunk: number },
  what: string,
  cause?: unknown,
): AgentTransportError {
  const message = `${chunk.adapter}: chunk ${chunk.chunk} of the stream ${what}.`
  return new AgentTransportError('invalid_frame', message, { ...chunk, cause })
}
