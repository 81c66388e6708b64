import { Hono } from 'hono'
import { RunServerError } from '../runServerError.ts'
import { hasEnded } from '../runs/hasEnded.ts'
import { readRun } from '../runs/readRun.ts'
import type { ConversationRow, RunRow, StoredMessageRow } from '../store/rows.ts'
import type { RunServerStore } from '../store/runServerStore.ts'
import type { HttpEnv } from './httpEnv.ts'
import { boundPageSize } from './boundPageSize.ts'
import { formatConversationCursor } from './formatConversationCursor.ts'
import { pageQuerySchema } from './pageQuerySchema.ts'
import { parseConversationCursor } from './parseConversationCursor.ts'
import { parseMessageCursor } from './parseMessageCursor.ts'
import { parseInput } from './parseInput.ts'

/**
 * The read model: what stands on the page for good.
 *
 * - `GET /conversations?before=CURSOR&limit=N` → `{ conversations, nextCursor }`, those changed last first, each
 *   `{ id, title, createdAt, updatedAt }`.
 * - `GET /conversations/:id?before=CURSOR&limit=N` → `{ id, title, createdAt, updatedAt, messages, runs, nextCursor }`.
 *   `messages` is the newest page before the cursor, each page in the order of the conversation (the oldest first):
 *   `{ id, runId, role, content, status: 'streaming' | 'completed' | 'failed' | 'cancelled', createdAt }`. `runs` are
 *   those of the messages, and on the first page also the one under way, each as `GET /runs/:runId` gives it, so that
 *   `lastSeq` says how far this page has read.
 * - `GET /runs/:runId` → `{ runId, conversationId, threadId, configurationId, resumesRunId, assistantMessageId, status,
 *   firstSeq, lastSeq, model, mode, enableThinking, waitingSince, interruption, createdAt, updatedAt, expiresAt, … }`.
 *
 * `nextCursor` is null where nothing older is left; `limit` is 100 by default and 500 at most. Times are in
 * milliseconds.
 */
export function createReadModelRoutes(store: RunServerStore): Hono<HttpEnv> {
  return new Hono<HttpEnv>()
    .get('/conversations', async (context) => {
      const ownerId = context.get('ownerId')
      const query = parseInput(pageQuerySchema, context.req.query())
      const limit = boundPageSize(query.limit)
      const before = query.before === undefined ? undefined : parseConversationCursor(query.before)
      const rows = await store.read(({ conversations }) => conversations.list(ownerId, { before, limit: limit + 1 }))
      const page = rows.slice(0, limit)
      const nextCursor = rows.length > limit ? formatConversationCursor(page[page.length - 1]!) : null
      return context.json({ conversations: page.map(describeConversation), nextCursor })
    })
    .get('/conversations/:id', async (context) => {
      const ownerId = context.get('ownerId')
      const id = context.req.param('id')
      const query = parseInput(pageQuerySchema, context.req.query())
      const limit = boundPageSize(query.limit)
      const before = query.before === undefined ? undefined : parseMessageCursor(query.before)
      const read = await store.read(async ({ conversations, messages, runs }) => ({
        conversation: await conversations.get(ownerId, id),
        rows: await messages.list(ownerId, id, { before, limit: limit + 1 }),
        runs: await runs.listByConversation(ownerId, id),
      }))
      if (read.conversation === undefined) {
        throw new RunServerError({
          status: 404,
          code: 'conversation_not_found',
          message: 'There is no such conversation.',
        })
      }
      const page = read.rows.slice(-limit)
      const runIds = new Set(page.map(({ runId }) => runId))
      const isShown = ({ runId, status }: RunRow) =>
        runIds.has(runId) || (before === undefined && !hasEnded(status))
      return context.json({
        ...describeConversation(read.conversation),
        messages: page.map(describeMessage),
        runs: read.runs.filter(isShown).map(describeRun),
        nextCursor: read.rows.length > limit ? String(page[0]!.position) : null,
      })
    })
    .get('/runs/:runId', async (context) => {
      const { runId } = context.req.param()
      const run = await store.read((transaction) => readRun(transaction, context.get('ownerId'), runId))
      return context.json(describeRun(run))
    })
}

function describeConversation({ id, title, createdAt, updatedAt }: ConversationRow) {
  return { id, title, createdAt, updatedAt }
}

function describeMessage({ messageId: id, runId, role, content, status, createdAt }: StoredMessageRow) {
  return { id, runId, role, content, status, createdAt }
}

function describeRun({ ownerId: _ownerId, ...run }: RunRow) {
  return run
}
