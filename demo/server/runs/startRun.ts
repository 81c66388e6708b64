import { RunServerError } from '../runServerError.ts'
import type { RunRow } from '../store/rows.ts'
import type { RunServerTransaction } from '../store/runServerStore.ts'
import { hashContent } from '../documents/hashContent.ts'
import { appendEvents } from './appendEvents.ts'
import type { RunExecutor } from './createRunExecutor.ts'
import { endRun } from './endRun.ts'
import { hasEnded } from './hasEnded.ts'
import type { EventDraft } from './eventDraft.ts'
import { createConfiguration } from './createConfiguration.ts'
import { pinConfiguration } from './pinConfiguration.ts'
import { readRun } from './readRun.ts'
import { rememberStart } from './rememberStart.ts'
import { requireSameStart } from './requireSameStart.ts'
import type { RunServices } from './runServices.ts'
import { takeUpRun, type TakenUp } from './takeUpRun.ts'
import { toText } from './toText.ts'
import type { StartRequest } from './startRequestSchema.ts'
import { writeCheckpoint } from './writeCheckpoint.ts'

/**
 * Starts a run, or attaches to it where its runId is known already: the same request sent twice is one run.
 *
 * @throws RunServerError `thread_busy` (409) while another run of the thread is under way, `run_not_found` (404) where
 * the runId is another user's, `run_id_reused` (422) where it was started with another message, `unknown_model` (400),
 * `too_many_runs` (429).
 */
export async function startRun(
  services: RunServices,
  executor: RunExecutor,
  options: { ownerId: string; request: StartRequest },
): Promise<TakenUp> {
  const { ownerId, request } = options
  const { store, signals, holder, settings, now } = services
  if (request.supersede) await flushBusyRun(services, executor, { ownerId, request })
  const { run, epoch, superseded } = await store.transaction(async (transaction) => {
    // One start of an owner at a time: what is looked for here has no row yet that could be locked.
    await transaction.lock(`start:${ownerId}`)
    if (request.runId !== undefined && (await transaction.runs.get(request.runId)) !== undefined) {
      const known = await readRun(transaction, ownerId, request.runId)
      await requireSameStart(transaction, { ownerId, runId: request.runId, request })
      return { run: known, epoch: undefined, superseded: undefined }
    }
    requireModel(services, request)
    const busy = await makeRoom(services, transaction, { ownerId, request })
    await requireFewRuns(services, transaction, ownerId)
    const made = await insertRun(services, transaction, { ownerId, request })
    await rememberStart(transaction, { ownerId, runId: made.runId, request, now: now() })
    const leaseExpiresAt = now() + settings.leaseMs
    return { run: made, epoch: await transaction.leases.take(made.runId, holder, leaseExpiresAt), superseded: busy }
  })
  if (superseded !== undefined) {
    executor.stop(superseded)
    signals.notify(superseded)
  }
  if (epoch === undefined) return takeUpRun(services, executor, run)
  executor.execute(run, { epoch, taking: 'started' })
  return { run }
}

function requireModel({ settings }: RunServices, { modelId }: StartRequest): void {
  if (modelId === undefined || settings.models.has(modelId)) return
  throw new RunServerError({
    status: 400,
    code: 'unknown_model',
    message: 'This server does not offer that model. Name one of its own, or leave modelId out.',
    details: { models: [...settings.models] },
  })
}

async function requireFewRuns(
  { settings }: RunServices,
  transaction: RunServerTransaction,
  ownerId: string,
): Promise<void> {
  if ((await transaction.runs.countRunning(ownerId)) < settings.maxRunningRuns) return
  throw new RunServerError({
    status: 429,
    code: 'too_many_runs',
    message: `${settings.maxRunningRuns} of your runs are under way. Wait for the end of one, answer it, or cancel it.`,
  })
}

/** Text that the run before this one said already belongs before its end. */
async function flushBusyRun(
  { store }: RunServices,
  executor: RunExecutor,
  { ownerId, request }: { ownerId: string; request: StartRequest },
): Promise<void> {
  const busy = await store.read(({ runs }) => runs.findUnfinished(ownerId, request.conversationId))
  if (busy !== undefined) await executor.flush(busy.runId).catch(() => undefined)
}

async function makeRoom(
  services: RunServices,
  transaction: RunServerTransaction,
  { ownerId, request }: { ownerId: string; request: StartRequest },
): Promise<string | undefined> {
  const found = await transaction.runs.findUnfinished(ownerId, request.conversationId)
  // It may end, or be taken up again, until it is locked.
  const busy = found && (await transaction.runs.lock(found.runId))
  if (busy === undefined || hasEnded(busy.status)) return undefined
  // An interrupted run must not block its thread: nobody works on it.
  if (!request.supersede && busy.status === 'running') {
    throw new RunServerError({
      status: 409,
      code: 'thread_busy',
      message: 'A run of this conversation is under way. Wait for its end, cancel it, or send supersede: true.',
      details: { runId: busy.runId },
    })
  }
  const ending = { type: 'cancelled' as const, reason: 'superseded' }
  await endRun(transaction, { runId: busy.runId, ending, now: services.now() })
  return busy.runId
}

async function insertRun(
  services: RunServices,
  transaction: RunServerTransaction,
  { ownerId, request }: { ownerId: string; request: StartRequest },
): Promise<RunRow> {
  const { createId, now, settings, shelf } = services
  const [message] = request.messages
  const { conversationId, mode, enableThinking } = request
  const at = now()
  await shelf.open(transaction, ownerId)
  const title = createTitle(toText(message.content))
  const isNewConversation = (await transaction.conversations.get(ownerId, conversationId)) === undefined
  if (isNewConversation) {
    await transaction.conversations.insert({ ownerId, id: conversationId, title, createdAt: at, updatedAt: at })
  } else {
    await transaction.conversations.touch(ownerId, conversationId, at)
  }
  const configuration = createConfiguration(services, request)
  const pinned = await pinConfiguration(transaction, { ownerId, conversationId, configuration, createId, now: at })
  const documentId = request.currentDocument?.id
  const document = documentId === undefined ? undefined : await shelf.get(transaction, ownerId, documentId)
  const run: RunRow = {
    runId: request.runId ?? createId(),
    ownerId,
    conversationId,
    ...pinned,
    resumesRunId: await readResumedRunId(transaction, { ownerId, request }),
    assistantMessageId: request.assistantMessageId ?? createId(),
    status: 'running',
    firstSeq: 1,
    lastSeq: 0,
    model: configuration.model,
    mode,
    enableThinking,
    currentDocumentId: documentId ?? null,
    currentDocumentHash: document === undefined ? null : hashContent(document.content),
    waitingSince: null,
    interruption: null,
    createdAt: at,
    updatedAt: at,
    expiresAt: at + settings.retentionMs,
  }
  const messageId = message.id ?? createId()
  if (messageId === run.assistantMessageId) {
    throw new RunServerError({
      status: 400,
      code: 'invalid_request',
      message: 'The message and assistantMessageId have the same id. Give each its own.',
    })
  }
  const input = { message: { id: messageId, content: message.content }, modelId: run.model, mode, enableThinking }
  const drafts: EventDraft[] = [
    { type: 'run.started', payload: { input } },
    ...(isNewConversation ? [{ type: 'session.started' as const, payload: { title } }] : []),
    { type: 'message.started', payload: { messageId, role: 'user', content: message.content } },
    { type: 'message.completed', payload: { messageId } },
  ]
  await transaction.runs.insert(run)
  await appendEvents(transaction, { runId: run.runId, drafts, now: at })
  const text = toText(message.content)
  await transaction.transcript.append({ runId: run.runId, message: { role: 'user', content: text } })
  await writeCheckpoint(transaction, { runId: run.runId, kind: 'run_started', now: at })
  return run
}

/** The run whose work this one goes on with: of the same person and conversation, and over. */
async function readResumedRunId(
  transaction: RunServerTransaction,
  { ownerId, request }: { ownerId: string; request: StartRequest },
): Promise<string | null> {
  if (request.resumes === undefined) return null
  const run = await readRun(transaction, ownerId, request.resumes)
  if (run.conversationId === request.conversationId && hasEnded(run.status)) return run.runId
  throw new RunServerError({
    status: 409,
    code: 'not_resumed_by_another',
    message: 'That run is of another conversation, or not over: have it taken up again under its own runId.',
  })
}

function createTitle(text: string): string {
  const characters = Array.from(text.replace(/\s+/g, ' ').trim())
  return characters.length > 60 ? `${characters.slice(0, 59).join('')}…` : characters.join('')
}
