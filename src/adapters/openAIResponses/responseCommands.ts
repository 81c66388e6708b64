import type { AgentCommandOf } from '../../protocol/agentCommand.ts'
import type { AgentEvent } from '../../protocol/agentEvent.ts'
import { createAgentEventFactory, type AgentEventFactory } from '../../protocol/createAgentEventFactory.ts'
import { getAgentEntityKey } from '../../protocol/getAgentEntityKey.ts'
import { isRecord } from '../../protocol/predicates.ts'
import type { AgentCommandOptions } from '../../provider/agentProvider.ts'
import type { AgentTransport } from '../../provider/agentTransport.ts'
import type { AgentState } from '../../state/agentState.ts'
import { createInitialAgentState } from '../../state/createInitialAgentState.ts'
import { getOwn } from '../../state/ownRecord.ts'
import { toOpenAIError } from '../openAI/openAIError.ts'
import type { AdapterChunk } from '../support/adapterChunk.ts'
import { closeEntity } from '../support/closeEntity.ts'
import { findOpenEntities } from '../support/findOpenEntities.ts'
import { buildResponsesInput } from './buildResponsesInput.ts'
import { cancelResponse } from './cancelResponse.ts'
import { createResponseMapper } from './createResponseMapper.ts'
import { createResponsesBody, isStateless } from './createResponsesBody.ts'
import { OpenAIResponsesCommandError } from './openAIResponsesCommandError.ts'
import type { OpenAIResponsesInput, OpenAIResponsesProviderOptions } from './openAIResponsesInput.ts'
import { readResponseEvent } from './responseEvent.ts'
import { readName, readRecord, readRecords, type WireFields } from './responseFields.ts'
import type { ApprovalOrigin, ResponseRun } from './responseRun.ts'
import type { OpenAIResponsesRequest, ResponsesRequests } from './responsesRequest.ts'
import { toolOutputItem } from './toolOutputItem.ts'

/** What the commands of a Responses service work with. */
export interface ResponseCommandTools {
  readonly options: OpenAIResponsesProviderOptions
  readonly transport: AgentTransport<OpenAIResponsesRequest, AdapterChunk>
  readonly requests: ResponsesRequests
  readonly run: ResponseRun
}

/**
 * Answers an approval. Those of one response are answered together: each is kept until the last of them is here, whose
 * answer is what the run goes on with.
 *
 * @throws OpenAIResponsesCommandError; what the transport throws.
 */
export async function* resolveApproval(
  command: AgentCommandOf<'approval.resolve'>,
  execution: AgentCommandOptions,
  tools: ResponseCommandTools,
): AsyncGenerator<AgentEvent, void, undefined> {
  const { options, transport, run } = tools
  const { approvalId, decision } = command.payload
  if (decision === 'modified') {
    const message = 'What an MCP server is asked cannot be edited. Approve or reject it.'
    throw new OpenAIResponsesCommandError('not_editable', message)
  }
  const state = execution.getAgentState?.()
  if (run.sent.has(approvalId)) {
    throw new OpenAIResponsesCommandError('refused', 'What was asked has been answered by now.')
  }
  const waiting = findWaiting({ state, run, runId: command.runId, approvalId })
  for (const id of [...run.decisions.keys()]) if (execution.isTaken?.(id) === false) run.decisions.delete(id)
  run.decisions.set(approvalId, decision === 'approved')
  if ([...waiting.keys()].some((id) => !run.decisions.has(id))) return

  const decisions = new Map([...waiting.keys()].map((id) => [id, run.decisions.get(id) === true]))
  const body = createContinuationBody({ tools, state, runId: command.runId, waiting, decisions })
  const events = createEvents(command, execution, run)
  const request: OpenAIResponsesRequest = {
    createBody: () => body,
    restore: () => undefined,
    idempotencyKey: command.idempotencyKey,
  }
  let mapper: ReturnType<typeof createResponseMapper> | undefined
  let isTaken = false
  for (const id of decisions.keys()) run.sent.add(id)
  try {
    for await (const chunk of transport.open(request, execution.signal)) {
      if (chunk.isDone) continue
      if (!mapper) {
        // What is no event accepts nothing.
        readResponseEvent(chunk)
        if (isRefusal(chunk.data)) throw refused(chunk)
        isTaken = true
        yield* tellDecisions(events, run, decisions)
        const awaited = [...decisions].flatMap(([id, isApproved]) =>
          isApproved ? [{ id, request: requestOf(waiting.get(id)!) }] : [],
        )
        const isBackground = options.background === true
        const { runId } = command
        const { getAgentState } = execution
        const how = { isBackground, isStateless: isStateless(options), awaited }
        mapper = createResponseMapper({ events, run, runId, getAgentState, ...how })
      }
      yield* mapper.push(chunk)
      const cursor = options.background ? mapper.getCursor() : undefined
      if (cursor !== undefined) execution.onCursor?.(cursor)
    }
  } finally {
    if (!isTaken) for (const id of decisions.keys()) run.sent.delete(id)
  }
}

/** Whether the first word of an answer says that the service did not go on from it: the approvals wait as before. */
const isRefusal = (data: unknown): data is WireFields =>
  isRecord(data) && (data.type === 'error' || data.type === 'response.failed' || data.type === undefined)

function refused({ data, index }: AdapterChunk): OpenAIResponsesCommandError {
  const { error = data, response } = readRecord(data)
  const { code } = toOpenAIError(readRecord(response).error ?? error, { adapter: 'service', chunk: index })
  const message = `The service did not go on from the answer (${code}). Answer again.`
  return new OpenAIResponsesCommandError('refused', message, { retryable: true })
}

/** What the wire calls what was asked. */
const requestOf = ({ item }: ApprovalOrigin): string => String(item.id)

/** Any other first word of the answer is the service's acceptance. */
function* tellDecisions(
  events: AgentEventFactory,
  run: ResponseRun,
  decisions: ReadonlyMap<string, boolean>,
): Generator<AgentEvent, void, undefined> {
  for (const [approvalId, isApproved] of decisions) {
    run.approvals.delete(approvalId)
    run.decisions.delete(approvalId)
    yield events.create('approval.resolved', { approvalId, decision: isApproved ? 'approved' : 'rejected' })
    if (!isApproved) yield events.create('tool.cancelled', { toolCallId: approvalId, reason: 'It was not approved.' })
  }
}

/** The approvals that wait for one request: those of the response that asked for this one. */
function findWaiting(search: {
  state: AgentState | undefined
  run: ResponseRun
  runId: string
  approvalId: string
}): ReadonlyMap<string, ApprovalOrigin> {
  const { state, run, runId, approvalId } = search
  const known = new Map(state ? readWaiting(state, runId) : run.approvals)
  const asked = known.get(approvalId)
  if (!asked) {
    const message = 'Nothing is known of the approval here, so it cannot be answered.'
    throw new OpenAIResponsesCommandError('unknown_approval', message)
  }
  return new Map([...known].filter(([, { responseId }]) => responseId === asked.responseId))
}

function* readWaiting(state: AgentState, runId: string): Generator<[string, ApprovalOrigin], void, undefined> {
  for (const { kind, id, runId: home } of state.order) {
    if (kind !== 'approval' || home !== runId) continue
    const approval = getOwn(state.approvals, getAgentEntityKey(runId, id))
    const { responseId, item, handed } = readRecord(approval?.meta?.openai)
    if (approval?.status !== 'waiting' || readName(responseId) === undefined || !isRecord(item)) continue
    const calls = readRecords(handed).map((call) => ({
      ...{ id: String(call.id), type: String(call.type), callId: readName(call.callId) },
    }))
    yield [id, { responseId: String(responseId), item, handed: calls }]
  }
}

function createContinuationBody(continuation: {
  tools: ResponseCommandTools
  state: AgentState | undefined
  runId: string
  waiting: ReadonlyMap<string, ApprovalOrigin>
  decisions: ReadonlyMap<string, boolean>
}) {
  const { tools, state, runId, waiting, decisions } = continuation
  const { options, run } = tools
  // After a reload the run's own input is what its start has kept of it.
  const input = run.input ?? (readRecord(state && getOwn(state.runs, runId)?.input) as OpenAIResponsesInput)
  if (isStateless(options)) {
    const built = buildResponsesInput(state ?? createInitialAgentState(), { isStateless: true, decisions })
    return createResponsesBody(options, input, built)
  }
  const [origin] = [...waiting.values()]
  const answers = [...decisions].map(([id, approve]) => ({
    type: 'mcp_approval_response',
    approval_request_id: requestOf(waiting.get(id)!),
    approve,
  }))
  return createResponsesBody(options, input, {
    input: [...origin!.handed.map(({ id, type, callId = id }) => toolOutputItem({ id: callId, type }, undefined)), ...answers],
    previousResponseId: origin!.responseId,
  })
}

/**
 * Cancels a response in the background; the run is cancelled by the service's word.
 *
 * @throws OpenAIResponsesCommandError; AgentTransportError where it is not known what became of it.
 */
export async function* cancelRun(
  command: AgentCommandOf<'run.cancel'>,
  execution: AgentCommandOptions,
  tools: ResponseCommandTools,
): AsyncGenerator<AgentEvent, void, undefined> {
  const { options, requests, run } = tools
  const { runId, payload } = command
  const responseId = run.responseId ?? findResponseId(execution.getAgentState?.(), runId)
  if (responseId === undefined) {
    const message = 'The service has not said yet which response this is. Try again in a moment.'
    throw new OpenAIResponsesCommandError('unknown_response', message, { retryable: true })
  }
  const { signal } = execution
  await cancelResponse(() => requests.cancel(responseId, command.idempotencyKey), { ...options, signal })
  // The run's own stream may have told the end by now; from here on it tells nothing more.
  if (run.isSilent) return
  run.isSilent = true
  const events = createEvents(command, execution, run)
  const state = execution.getAgentState?.()
  const ending = { status: 'cancelled', ...payload } as const
  const open = state ? findOpenEntities(state, runId) : run.getOpen()
  for (const entity of open) yield closeEntity(events, entity, ending)
  yield events.create('run.cancelled', payload)
}

/** The response that is under way is a task of its own. */
function findResponseId(state: AgentState | undefined, runId: string): string | undefined {
  const task = state?.order.findLast(({ kind, id, runId: home }) => {
    if (kind !== 'task' || home !== runId) return false
    return readRecord(getOwn(state.tasks, getAgentEntityKey(runId, id))?.meta?.openai).responseId === id
  })
  return task?.id
}

/** Events of a command go on after all that is known of the run, by whichever channel. */
function createEvents(
  { sessionId, runId }: { sessionId: string; runId: string },
  { initialSequence, now, getAgentState }: AgentCommandOptions,
  run: ResponseRun,
): AgentEventFactory {
  const known = getAgentState?.().lastSequenceByRun ?? {}
  const last = Math.max(initialSequence, run.lastSequence, getOwn(known, runId) ?? -1)
  return createAgentEventFactory({ sessionId, runId, now, initialSequence: last })
}
