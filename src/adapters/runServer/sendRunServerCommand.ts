import * as z from 'zod/mini'
import { parseJson } from '../../parseJson.ts'
import type { AgentCommand } from '../../protocol/agentCommand.ts'
import type { AgentEvent } from '../../protocol/agentEvent.ts'
import { AgentTransportError } from '../../transport/agentTransportError.ts'
import type { AgentTransportTimers } from '../../transport/createPatience.ts'
import { getRetryAfter } from '../../transport/getRetryAfter.ts'
import { isRetryableStatus } from '../../transport/isRetryableStatus.ts'
import { mergeHeaders } from '../../transport/mergeHeaders.ts'
import { readErrorBody } from '../../transport/readErrorBody.ts'
import { serverErrorCode } from '../../transport/serverErrorCode.ts'
import { RunServerCommandError } from './runServerCommandError.ts'
import { runServerFramesSchema, type RunServerFrame } from './runServerFrame.ts'

/** How much of a refusal is read, in bytes: a conflict's holds the events that stand. */
const maxRefusalSize = 4 * 1024 * 1024

const answerSchema = z.object({ events: runServerFramesSchema })
const refusalSchema = z.object({
  code: z.optional(serverErrorCode),
  decision: z.optional(serverErrorCode),
  events: z.optional(runServerFramesSchema),
})

/**
 * Posts a command under its idempotency key, which the body states and the header where it can, and yields the events of the answer, also of a conflict's, which throws
 * after them.
 *
 * @throws RunServerCommandError where the server refuses; AgentTransportError where it may be sent again
 * (`retryable`), or where the answer is not understood.
 */
export async function* sendRunServerCommand(
  command: AgentCommand,
  options: {
    url: string
    headers: () => Promise<Readonly<Record<string, string>>>
    fetch: typeof fetch
    credentials: RequestCredentials | undefined
    signal: AbortSignal
    timers: AgentTransportTimers | undefined
    now: () => number
  },
): AsyncGenerator<AgentEvent, void, undefined> {
  const response = await post(command, options)
  const { status } = response
  const body = await readJson(response, options)
  if (response.ok) {
    const answer = answerSchema.safeParse(body)
    if (!answer.success) {
      const message = 'The run server answered the command in a form that is not understood.'
      throw new AgentTransportError('invalid_frame', message, { status })
    }
    yield* eventsOf(answer.data.events)
    return
  }
  const refusal = refusalSchema.safeParse(body)
  const { code, decision: standing, events = [] } = refusal.success ? refusal.data : {}
  if (isRetryableStatus(status)) {
    throw new AgentTransportError('http_status', `The run server answered the command with status ${status}.`, {
      status,
      retryable: true,
      serverCode: code,
      retryAfter: getRetryAfter(response.headers, options.now),
    })
  }
  yield* eventsOf(events)
  throw new RunServerCommandError(status === 409 ? 'conflict' : 'refused', {
    status,
    serverCode: code,
    decision: standing,
  })
}

// `runAgentCommand` checks each event.
function* eventsOf(stored: readonly RunServerFrame[]): Generator<AgentEvent, void, undefined> {
  for (const { event } of stored) yield event as AgentEvent
}

async function post(command: AgentCommand, options: Parameters<typeof sendRunServerCommand>[1]): Promise<Response> {
  const { url, fetch, credentials, signal } = options
  try {
    const headers = await options.headers()
    return await fetch(url, {
      method: 'POST',
      headers: mergeHeaders({ 'content-type': 'application/json' }, headers, keyHeader(command)),
      body: JSON.stringify(command),
      signal,
      ...(credentials !== undefined && { credentials }),
    })
  } catch (cause) {
    throw lost(cause, signal)
  }
}

// What a header carries unchanged: printable ASCII without a space at either end.
const headerValue = /^[!-~](?:[ -~]*[!-~])?$/

/** The command itself states its key as well; one that no header can carry stands there alone. */
function keyHeader({ idempotencyKey }: AgentCommand): Record<string, string> {
  return headerValue.test(idempotencyKey) ? { 'idempotency-key': idempotencyKey } : {}
}

async function readJson(
  response: Response,
  options: Pick<Parameters<typeof sendRunServerCommand>[1], 'signal' | 'timers'>,
): Promise<unknown> {
  const { signal, timers } = options
  let text: string | undefined
  try {
    text = response.ok
      ? await response.text()
      : await readErrorBody(response, { maxSize: maxRefusalSize, signal, timers })
  } catch (cause) {
    throw lost(cause, signal)
  }
  // It may be some proxy's page, or one without an end; the status says the rest.
  return parseJson(text ?? '')
}

function lost(cause: unknown, signal: AbortSignal): unknown {
  if (signal.aborted) return cause
  const message = 'The run server could not be reached; what became of the command is not known. Send it again.'
  return new AgentTransportError('network', message, { retryable: true, cause })
}
