import { Hono, type Context } from 'hono'
import * as z from 'zod'
import { createExcerpt } from '../documents/createExcerpt.ts'
import type { Shelf } from '../documents/createShelf.ts'
import { RunServerError } from '../runServerError.ts'
import type { DocumentRow } from '../store/rows.ts'
import type { RunServerStore, RunServerTransaction } from '../store/runServerStore.ts'
import type { HttpEnv } from './httpEnv.ts'
import { parseInput } from './parseInput.ts'
import { readJson } from './readJson.ts'

// A person may leave a title empty while they write; only tools have to give one.
const title = z.string().max(200)
const content = z.string().max(500_000)
const createSchema = z.object({ title, content })
const patchSchema = z.object({
  title: title.optional(),
  content: content.optional(),
  expectedVersion: z.int().optional(),
})

/** A person's documents, for the page. */
export function createDocumentRoutes(options: {
  store: RunServerStore
  shelf: Shelf
  now(): number
  createId(): string
}): Hono<HttpEnv> {
  const { store, shelf, now, createId } = options
  const readDocument = async (transaction: RunServerTransaction, context: Context<HttpEnv>, id: string) => {
    const document = await shelf.get(transaction, context.get('ownerId'), id)
    if (document !== undefined) return document
    throw new RunServerError({ status: 404, code: 'document_not_found', message: 'There is no such document.' })
  }
  return new Hono<HttpEnv>()
    .get('/', async (context) => {
      const rows = await store.read((transaction) => shelf.list(transaction, context.get('ownerId')))
      const documents = rows.map(({ id, title: name, content: text, version, updatedAt }) => ({
        id,
        title: name,
        excerpt: createExcerpt(text),
        version,
        updatedAt,
      }))
      return context.json({ documents })
    })
    .get('/:id', (context) =>
      store.read(async (transaction) =>
        context.json(describe(await readDocument(transaction, context, context.req.param('id')))),
      ),
    )
    .post('/', async (context) => {
      const input = parseInput(createSchema, await readJson(context))
      const row = { ...input, ownerId: context.get('ownerId'), id: createId(), version: 1, updatedAt: now() }
      await store.transaction(async (transaction) => {
        await transaction.lock(`documents:${row.ownerId}`)
        await shelf.open(transaction, row.ownerId)
        await transaction.documents.insert(row)
      })
      return context.json(describe(row), 201)
    })
    .patch('/:id', async (context) => {
      const { expectedVersion, ...patch } = parseInput(patchSchema, await readJson(context))
      return store.transaction(async (transaction) => {
        await transaction.lock(`documents:${context.get('ownerId')}`)
        const document = await readDocument(transaction, context, context.req.param('id'))
        if (expectedVersion !== undefined && expectedVersion !== document.version) {
          throw new RunServerError({
            status: 409,
            code: 'version_conflict',
            message: 'The document was changed meanwhile. Read it again and decide what to keep.',
            details: { document: describe(document) },
          })
        }
        const { title: name = document.title, content: text = document.content } = patch
        if (name === document.title && text === document.content) return context.json(describe(document))
        const version = document.version + 1
        const changed = { ...document, title: name, content: text, version, updatedAt: now() }
        await shelf.open(transaction, document.ownerId)
        await transaction.documents.update(changed)
        return context.json(describe(changed))
      })
    })
    .delete('/:id', (context) =>
      store.transaction(async (transaction) => {
        await transaction.lock(`documents:${context.get('ownerId')}`)
        const { id, ownerId } = await readDocument(transaction, context, context.req.param('id'))
        await shelf.open(transaction, ownerId)
        await transaction.documents.remove(ownerId, id)
        return context.body(null, 204)
      }),
    )
}

function describe({ ownerId: _ownerId, ...document }: DocumentRow) {
  return document
}
