import { assertNever } from '../../assertNever.ts'
import { getAgentEntityKey } from '../../protocol/getAgentEntityKey.ts'
import type { AgentCommand, AgentCommandOf } from '../../protocol/agentCommand.ts'
import type { AgentEvent } from '../../protocol/agentEvent.ts'
import { createAgentEventFactory } from '../../protocol/createAgentEventFactory.ts'
import type { AgentCommandOptions, AgentProviderContextOptions } from '../../provider/agentProvider.ts'
import { getOwn } from '../../state/ownRecord.ts'
import { getAdapterHeaders } from '../support/getAdapterHeaders.ts'
import { sendAdapterRequest } from '../support/sendAdapterRequest.ts'
import { aiSdkAdapter as adapter } from './aiSdkAdapter.ts'
import { AiSdkError } from './aiSdkError.ts'
import type { AiSdkProviderOptions } from './aiSdkOptions.ts'
import type { AnswerBook } from './createAnswerBook.ts'
import type { AiSdkContext } from './createAiSdkContext.ts'
import { toRunInfo } from './createAiSdkHttp.ts'
import type { AiSdkWire } from './createAiSdkWire.ts'

/** Far above what a run's own stream can still bring, so that nothing of it comes after the end. */
const endGap = 1_000_000

interface Sending {
  options: AiSdkProviderOptions
  wire: AiSdkWire
  answers: AnswerBook
  createContext: (options: AgentProviderContextOptions) => AiSdkContext
}

/**
 * Sends a command: an answer by a request that tells it, with all others of its step, and whose stream is the run's
 * continuation; a cancellation by the app's own endpoint.
 *
 * @throws AiSdkError, AgentTransportError
 */
export async function* sendAiSdkCommand(
  command: AgentCommand,
  execution: AgentCommandOptions,
  sending: Sending,
): AsyncGenerator<AgentEvent, void, undefined> {
  switch (command.type) {
    case 'approval.resolve':
      return yield* resolveApproval(command, execution, sending)
    case 'run.cancel':
      return yield* cancel(command, execution, sending)
    case 'tool.retry':
      throw new AiSdkError('unsupported_command', 'The AI SDK cannot repeat one tool call; send the message again.')
    default:
      return assertNever(command)
  }
}

async function* resolveApproval(
  command: AgentCommandOf<'approval.resolve'>,
  execution: AgentCommandOptions,
  { wire, answers, createContext }: Sending,
): AsyncGenerator<AgentEvent, void, undefined> {
  const { runId, payload, idempotencyKey } = command
  const { approvalId, decision, data } = payload
  const state = execution.getAgentState?.()
  if (!state) {
    const message = 'The answer was not sent: the AI SDK wants the whole conversation, and who sends it keeps no state.'
    throw new AiSdkError('state_unavailable', message)
  }
  const approval = getOwn(state.approvals, getAgentEntityKey(runId, approvalId))
  if (approval?.status !== 'waiting') {
    throw new AiSdkError('not_waiting', 'The approval does not wait for an answer; look at it again.')
  }
  const stream = execution.getWireState?.()
  if (stream === 'elsewhere') {
    const message = 'The stream that asks is still open in another tab. Answer there, or here once it has ended.'
    throw new AiSdkError('other_tab', message, { retryable: true })
  }
  answers.keep(runId, execution.isTaken)
  answers.put(runId, { approvalId, decision, ...(data !== undefined && { data }) }, idempotencyKey)
  // The stream that asks is still open, or taken up again: it goes on with the answers once it has ended.
  if (stream === 'open' || wire.isOpen(runId)) return
  const context = createContext(toContextOptions(command, execution, execution.initialSequence))
  // Where the stream had ended, each of them would be over, or asked about.
  if (context.hasUndecidedCalls()) {
    answers.drop(runId, approvalId)
    const message = 'The stream that asks was lost before it was over: continue the run first, or send the message again.'
    throw new AiSdkError('stream_lost', message, { retryable: true })
  }
  const told = answers.get(runId, context.getQuestions())
  if (!told) return
  const call = wire.answer(context, told)
  let isSent = false
  try {
    for await (const batch of wire.read(call, execution.signal)) {
      for (const { chunk } of batch) {
        yield* context.transform(chunk)
        if (!isSent && context.getAcceptance().isAccepted) {
          isSent = true
          answers.clear(runId)
        }
        const cursor = context.getCursor()
        if (cursor !== undefined) execution.onCursor?.(cursor)
      }
    }
    yield* context.end()
  } finally {
    // It is another's turn to answer: what failed is answered anew, or sent again, with those before it.
    if (!isSent) answers.drop(runId, approvalId)
  }
}

async function* cancel(
  command: AgentCommandOf<'run.cancel'>,
  execution: AgentCommandOptions,
  { options, answers, createContext }: Sending,
): AsyncGenerator<AgentEvent, void, undefined> {
  const { runId, payload } = command
  if (!options.getStopUrl) {
    throw new AiSdkError('unsupported_command', 'The server has no endpoint that stops a run: set getStopUrl.')
  }
  const context = createContext(toContextOptions(command, execution, execution.initialSequence))
  await postStop(options.getStopUrl(toRunInfo(context)), { command, execution, options })
  answers.clear(runId)
  // Read anew: the run's own stream may have gone on, or ended, meanwhile.
  const state = execution.getAgentState?.()
  const run = state && getOwn(state.runs, runId)
  if (run && run.status !== 'running') return
  const last = Math.max(execution.initialSequence, (state && getOwn(state.lastSequenceByRun, runId)) ?? -1)
  yield* createContext(toContextOptions(command, execution, last + endGap)).cancel(payload.reason)
}

async function postStop(
  url: string,
  sending: {
    command: AgentCommandOf<'run.cancel'>
    execution: AgentCommandOptions
    options: AiSdkProviderOptions
  },
): Promise<void> {
  const { command, execution, options } = sending
  const { sessionId: id, runId, idempotencyKey, payload } = command
  const { fetch, timers, now, credentials } = options
  const own = { 'content-type': 'application/json', 'idempotency-key': idempotencyKey }
  await sendAdapterRequest({
    ...{ adapter, what: 'the cancellation', fetch, timers, now, signal: execution.signal },
    request: async () => ({
      url,
      headers: await getAdapterHeaders(own, options.headers),
      body: JSON.stringify({ id, runId, reason: payload.reason, idempotencyKey }),
      credentials,
    }),
  })
}

function toContextOptions(
  { sessionId, runId }: AgentCommand,
  { signal, now, getAgentState }: AgentCommandOptions,
  initialSequence: number,
): AgentProviderContextOptions {
  const run = { sessionId, runId, signal, now, initialSequence }
  return { ...run, getAgentState, events: createAgentEventFactory(run) }
}
