import type { AgentCommand, AgentCommandOf } from '../../protocol/agentCommand.ts'
import type { AgentEvent } from '../../protocol/agentEvent.ts'
import { isRecord } from '../../protocol/predicates.ts'
import type { AgentCommandOptions } from '../../provider/agentProvider.ts'
import type { AgentTransport } from '../../provider/agentTransport.ts'
import type { AgentState } from '../../state/agentState.ts'
import { getOwn } from '../../state/ownRecord.ts'
import type { AgUiChunk } from './agUiChunk.ts'
import { AgUiError } from './agUiError.ts'
import type { AgUiMappingOptions } from './agUiOptions.ts'
import type { AgUiRequest } from './agUiRequest.ts'
import type { AgUiMapper } from './createAgUiMapper.ts'
import { createRunInput, readRunInput } from './createRunInput.ts'
import { createAnswerBatch, isExpired, listOpenQuestions, type OpenQuestion } from './gatherAnswers.ts'

type Resolution = AgentCommandOf<'approval.resolve'>['payload']

/** What a page has answered of a run. */
export interface GatheredAnswers {
  /** Answers that wait for the others of their run, by approval. */
  readonly given: Map<string, Resolution>
  /** Approvals whose answers are on their way, or were taken: they are not answered again. */
  readonly sent: Set<string>
}

/** What the provider lends to its commands. */
export interface CommandHost {
  readonly options: AgUiMappingOptions
  readonly transport: AgentTransport<AgUiRequest, AgUiChunk>
  getThreadId(sessionId: string): string
  answersOf(run: { sessionId: string; runId: string }): GatheredAnswers
  forgetAnswers(run: { sessionId: string; runId: string }): void
  /** Makes the mapper of a run's next connection, which a cancel of the run finds. */
  createMapper(connection: {
    command: AgentCommand
    execution: AgentCommandOptions
    state: AgentState | undefined
    wireRunId: string
  }): { mapper: AgUiMapper; release: () => void }
  /** Reads a chunk, and lets its cursor hold what is in hand then. */
  read(mapper: AgUiMapper, chunk: AgUiChunk): readonly AgentEvent[]
  /** The mapper of the connection that is open, if one is. */
  findMapper(run: { sessionId: string; runId: string }): AgUiMapper | undefined
  stop?: ((run: { threadId: string; runId: string; reason?: string | undefined }) => Promise<unknown>) | undefined
}

/**
 * Answers a question of a parked run. Answers are gathered until all of its questions have one; then they go out
 * together, and the answer's events are the rest of the run.
 *
 * @throws AgUiError (`expired`, `refused`); what the transport throws.
 */
export async function* resolveApproval(
  command: AgentCommandOf<'approval.resolve'>,
  execution: AgentCommandOptions,
  host: CommandHost,
): AsyncGenerator<AgentEvent, void, undefined> {
  const { options, transport } = host
  const { sessionId, runId, payload } = command
  const now = (execution.now ?? Date.now)()
  const state = execution.getAgentState?.()
  const questions: readonly OpenQuestion[] = state
    ? listOpenQuestions(state, runId)
    : [{ id: payload.approvalId, meta: {} }]
  const own = questions.find(({ id }) => id === payload.approvalId)
  const { given, sent } = host.answersOf(command)
  if (!own || sent.has(own.id)) throw new AgUiError('refused', 'This question has been answered by now.')
  if (isExpired(own, now) && payload.decision !== 'rejected') {
    throw new AgUiError('expired', 'The time to answer is over. Decline it to go on without an answer.')
  }
  for (const id of [...given.keys()]) if (execution.isTaken?.(id) === false) given.delete(id)
  given.set(own.id, payload)
  if (questions.some((question) => !given.has(question.id) && !isExpired(question, now))) return

  const threadId = host.getThreadId(sessionId)
  const batch = createAnswerBatch({ questions, given, threadId, runId, now, options })
  const input = readRunInput(state, runId)
  const request: AgUiRequest = {
    threadId,
    runId: batch.wireRunId,
    idempotencyKey: batch.key,
    getInput: () =>
      createRunInput({
        options,
        input,
        state,
        threadId,
        runId,
        wireRunId: batch.wireRunId,
        more: batch.messages,
        resume: batch.resume,
        forwardedProps: batch.forwardedProps,
      }),
    chunks: 0,
    hasEnded: false,
  }
  // The one that was asked for comes first, as it is what the command is granted by.
  const answers = batch.answers.toSorted((one, other) => rank(one) - rank(other))
  function rank({ approvalId }: { approvalId: string }) {
    return approvalId === own!.id ? 0 : 1
  }
  const { mapper, release } = host.createMapper({ command, execution, state, wireRunId: batch.wireRunId })
  let hasBegun = false
  for (const { id } of questions) sent.add(id)
  try {
    for await (const chunk of transport.open(request, execution.signal)) {
      if (!hasBegun && isRefusal(chunk.data)) throw refused(chunk.data)
      const begun = hasBegun ? [] : mapper.answer(answers)
      const events = host.read(mapper, chunk)
      given.clear()
      hasBegun = true
      yield* begun
      yield* events
      const cursor = transport.getCursor?.(chunk)
      if (cursor) execution.onCursor?.(cursor)
    }
    yield* mapper.settle()
  } finally {
    if (!hasBegun) for (const { id } of questions) sent.delete(id)
    if (mapper.hasEnded()) host.forgetAnswers(command)
    release()
  }
}

/**
 * Asks the app's own endpoint to stop a run; once it has, that is the fact.
 *
 * @throws AgUiError (`refused`); AgentTransportError where it may be sent again.
 */
export async function* cancelRun(
  command: AgentCommandOf<'run.cancel'>,
  execution: AgentCommandOptions,
  host: CommandHost,
): AsyncGenerator<AgentEvent, void, undefined> {
  const { sessionId, runId, payload } = command
  const before = execution.getAgentState?.()
  const { reason } = payload
  const open = host.findMapper(command)
  const wireRunId = open?.getWireRunId() ?? latestWireRunId(before, runId)
  open?.setStopping({ reason })
  try {
    await host.stop!({ threadId: host.getThreadId(sessionId), runId: wireRunId, reason })
  } finally {
    open?.setStopping(undefined)
  }
  host.forgetAnswers(command)
  const state = execution.getAgentState?.()
  // A late word about a run that is over says nothing of it.
  if (state && getOwn(state.runs, runId)?.status !== 'running') return
  const live = host.findMapper(command)
  if (live) return yield* live.cancel(reason)
  const { mapper, release } = host.createMapper({ command, execution, state, wireRunId })
  release()
  yield* mapper.cancel(reason)
}

/** The AG-UI run that a parked run has come to: the one that asked last. */
function latestWireRunId(state: AgentState | undefined, runId: string): string {
  const questions = state ? listOpenQuestions(state, runId) : []
  return questions.at(-1)?.meta.wireRunId ?? runId
}

const isRefusal = (data: unknown): data is Record<string, unknown> => isRecord(data) && data.type === 'RUN_ERROR'

function refused({ code }: Record<string, unknown>): AgUiError {
  const named = typeof code === 'string' && /^[\w.:-]{1,64}$/.test(code) ? ` (${code})` : ''
  return new AgUiError('refused', `The agent did not take the answers${named}; they are still to be given.`, {
    retryable: true,
  })
}
