import * as z from 'zod/mini'
import type { AgentEvent } from '../../protocol/agentEvent.ts'
import { isRunEnd } from '../../state/isRunEnd.ts'
import { AgentTransportError } from '../../transport/agentTransportError.ts'
import type { SseMessage } from '../../transport/createSseParser.ts'
import { isRunServerFrame } from './runServerFrame.ts'
import type { RunServerRequest } from './runServerRequest.ts'

const runStartSchema = z.object({ runId: z.string(), assistantMessageId: z.string().check(z.minLength(1)) })
const resumeUnavailableSchema = z.object({ recoverable: z.boolean() })

/** A frame of the run server: a stored event, with what a resume after it needs, or a control frame. */
export type RunServerChunk =
  | { kind: 'event'; seq: number; assistantMessageId: string; event: unknown }
  | { kind: 'control'; name: 'run-start' | 'checkpoint' | 'resume-start' | 'parked' | 'end' }

/**
 * Reads one message of the run server's stream; unknown control frames are skipped, so that the server may add some.
 *
 * @throws where a frame is not what it says it is; AgentTransportError `resume_unavailable` on the frame of that name,
 * `incomplete` on the end of a stream whose run did not end.
 */
export function parseRunServerMessage(message: SseMessage, request: RunServerRequest): RunServerChunk | undefined {
  switch (message.event) {
    case 'message':
      // Without words it only keeps the line alive.
      return message.data.trim() === '' ? undefined : parseEvent(message.data, request)
    case 'run-start':
      return parseRunStart(message.data, request)
    case 'checkpoint':
    case 'resume-start':
    case 'parked':
      return { kind: 'control', name: message.event }
    case 'end':
      if (request.isOpen) {
        const text = 'The run server ended the stream before the run; reconnect.'
        throw new AgentTransportError('incomplete', text, { retryable: true })
      }
      return { kind: 'control', name: message.event }
    case 'resume-unavailable': {
      const { recoverable } = resumeUnavailableSchema.parse(JSON.parse(message.data))
      const advice = recoverable ? 'try again' : 'start a new run'
      const text = `The run server cannot take the run up after the cursor; ${advice}.`
      throw new AgentTransportError('resume_unavailable', text, { retryable: recoverable })
    }
    default:
      return undefined
  }
}

function parseEvent(data: string, request: RunServerRequest): RunServerChunk {
  const frame: unknown = JSON.parse(data)
  if (!isRunServerFrame(frame)) {
    throw new AgentTransportError('invalid_frame', 'A message of the run server is no stored event.')
  }
  const { runId, seq, event } = frame
  if (runId !== request.runId || (event as { sequence?: unknown } | null | undefined)?.sequence !== seq) {
    throw new AgentTransportError('invalid_frame', 'A frame of the run server is of another run, or of two sequences.')
  }
  request.isOpen = !isRunEnd(event as Pick<AgentEvent, 'type'>)
  return { kind: 'event', seq, assistantMessageId: request.assistantMessageId, event }
}

function parseRunStart(data: string, request: RunServerRequest): RunServerChunk {
  const { runId, assistantMessageId } = runStartSchema.parse(JSON.parse(data))
  if (runId !== request.runId) {
    throw new AgentTransportError('invalid_frame', 'The run server started another run than the one asked for.')
  }
  // A start that attaches to a run that is known gets the id under which that run's answer stands.
  request.assistantMessageId = assistantMessageId
  return { kind: 'control', name: 'run-start' }
}
