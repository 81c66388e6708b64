import * as z from 'zod/mini'
import type { AgentCommand } from '../../protocol/agentCommand.ts'
import type { AgentEvent } from '../../protocol/agentEvent.ts'
import { AgentTransportError } from '../../transport/agentTransportError.ts'
import type { AgentTransportTimers } from '../../transport/agentTransportTimers.ts'
import { mergeHeaders } from '../../transport/mergeHeaders.ts'
import { sendAdapterRequest } from '../support/sendAdapterRequest.ts'
import { readRunServerRefusal } from './readRunServerRefusal.ts'
import { RunServerCommandError } from './runServerCommandError.ts'
import { runServerAdapter as adapter } from './runServerAdapter.ts'
import { runServerFramesSchema, type RunServerFrame } from './runServerFrame.ts'

/** How much of an answer is read, in bytes: it holds events. */
const maxSize = 32 * 1024 * 1024

const answerSchema = z.object({ events: runServerFramesSchema })

/**
 * Posts a command under its idempotency key, which the body states and the header where it can, and yields the events
 * of the answer, also of a conflict's, which throws after them.
 *
 * @throws RunServerCommandError where the server refuses; AgentTransportError where it may be sent again
 * (`retryable`), as where the answer is not understood.
 */
export async function* sendRunServerCommand(
  command: AgentCommand,
  options: {
    url: string
    headers: () => Promise<Readonly<Record<string, string>>>
    fetch: typeof fetch | undefined
    credentials: RequestCredentials | undefined
    signal: AbortSignal
    timers: AgentTransportTimers | undefined
    now: () => number
  },
): AsyncGenerator<AgentEvent, void, undefined> {
  const { ok, status, body } = await post(command, options)
  if (ok) {
    const answer = answerSchema.safeParse(body)
    if (!answer.success) {
      const message =
        `${adapter}: The server answered the command in a form that is not understood, such as the page of a proxy; ` +
        'what became of the command is not known. Send it again.'
      // Under its key it is done once, however often it is sent.
      throw new AgentTransportError('invalid_frame', message, { adapter, status, retryable: true })
    }
    yield* eventsOf(answer.data.events)
    return
  }
  const { events, ...refusal } = readRunServerRefusal(body)
  yield* eventsOf(events)
  throw new RunServerCommandError(status === 409 ? 'conflict' : 'refused', { status, ...refusal })
}

// `runAgentCommand` checks each event.
function* eventsOf(stored: readonly RunServerFrame[]): Generator<AgentEvent, void, undefined> {
  for (const { event } of stored) yield event as AgentEvent
}

function post(command: AgentCommand, options: Parameters<typeof sendRunServerCommand>[1]) {
  const { url, headers, fetch, credentials, signal, timers, now } = options
  return sendAdapterRequest({
    ...{ adapter, what: 'the command', fetch, signal, timers, now, mayRefuse: true, maxSize },
    request: async () => ({
      url,
      headers: mergeHeaders({ 'content-type': 'application/json' }, await headers(), keyHeader(command)),
      body: JSON.stringify(command),
      credentials,
    }),
  })
}

// What a header carries unchanged: printable ASCII without a space at either end.
const headerValue = /^[!-~](?:[ -~]*[!-~])?$/

/** The command itself states its key as well; one that no header can carry stands there alone. */
function keyHeader({ idempotencyKey }: AgentCommand): Record<string, string> {
  return headerValue.test(idempotencyKey) ? { 'idempotency-key': idempotencyKey } : {}
}
