import { Hono } from 'hono'
import { RunServerError } from '../runServerError.ts'
import { readRun } from '../runs/readRun.ts'
import type { ConversationRow, RunRow } from '../store/rows.ts'
import type { RunServerStore } from '../store/runServerStore.ts'
import type { HttpEnv } from './httpEnv.ts'

/** The read model: what stands on the page for good. */
export function createReadModelRoutes(store: RunServerStore): Hono<HttpEnv> {
  return new Hono<HttpEnv>()
    .get('/conversations', async (context) => {
      const rows = await store.read((transaction) => transaction.conversations.list(context.get('ownerId')))
      return context.json({ conversations: rows.map(describeConversation) })
    })
    .get('/conversations/:id', async (context) => {
      const ownerId = context.get('ownerId')
      const id = context.req.param('id')
      return store.read(async (transaction) => {
        const conversation = await transaction.conversations.get(ownerId, id)
        if (conversation === undefined) {
          throw new RunServerError({
            status: 404,
            code: 'conversation_not_found',
            message: 'There is no such conversation.',
          })
        }
        const messages = await transaction.messages.list(ownerId, id)
        const runs = await transaction.runs.listByConversation(ownerId, id)
        return context.json({
          ...describeConversation(conversation),
          messages: messages.map(({ messageId, runId, role, content, status, createdAt }) => ({
            id: messageId,
            runId,
            role,
            content,
            status,
            createdAt,
          })),
          runs: runs.map(describeRun),
        })
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

function describeRun({ ownerId: _ownerId, ...run }: RunRow) {
  return run
}
