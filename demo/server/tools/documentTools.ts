import * as z from 'zod'
import { searchDocuments } from '../documents/searchDocuments.ts'
import { defineTool, type AgentTool } from './agentTool.ts'
import { requireDocument } from './requireDocument.ts'
import { ToolError } from './toolError.ts'

const documentId = z.string().min(1).describe('Id of a document, as document_search gives it')
const title = z.string().trim().min(1).max(200)
const content = z.string().max(200_000).describe('The whole text, in Markdown')

/** Finds documents by words. */
export const documentSearch: AgentTool = defineTool({
  name: 'document_search',
  description: 'Find documents of the workspace by words of their title or text. An empty query lists all.',
  schema: z.object({ query: z.string().max(500) }),
  async run({ query }, { ownerId, transaction }) {
    return { documents: searchDocuments(await transaction.documents.list(ownerId), query) }
  },
})

/** Reads one document whole. */
export const documentRead: AgentTool = defineTool({
  name: 'document_read',
  description: 'Read a document.',
  schema: z.object({ documentId }),
  async run(input, context) {
    const { id, title: name, content: text, version } = await requireDocument(context, input.documentId)
    return { documentId: id, title: name, content: text, version }
  },
})

/** Writes a new document, after a person has agreed. */
export const documentWrite: AgentTool = defineTool({
  name: 'document_write',
  description: 'Write a new document. A person sees and confirms it first.',
  schema: z.object({ title, content }),
  approval: {
    risk: 'low',
    editable: true,
    describe: (preview) => `Create the document "${preview.title}"`,
    preview: async (input) => ({ kind: 'document', title: input.title, before: '', after: input.content }),
  },
  async run(input, { ownerId, transaction, now, createId }) {
    const row = { ownerId, id: createId(), title: input.title, content: input.content, version: 1, updatedAt: now() }
    await transaction.documents.insert(row)
    return { documentId: row.id, title: row.title, version: row.version }
  },
})

/** Changes a document, after a person has seen the difference and agreed. */
export const documentUpdate: AgentTool = defineTool({
  name: 'document_update',
  description:
    'Change the title or the text of a document, or both. Give the whole new text. A person sees the difference and ' +
    'confirms it first.',
  schema: z
    .object({ documentId, title: title.optional(), content: content.optional() })
    .refine((input) => input.title !== undefined || input.content !== undefined, {
      message: 'Give a title, a content, or both.',
    }),
  approval: {
    risk: 'medium',
    editable: true,
    describe: (preview) => `Change the document "${preview.title}"`,
    async preview(input, context) {
      const document = await requireDocument(context, input.documentId)
      const after = { title: input.title ?? document.title, content: input.content ?? document.content }
      if (after.title === document.title && after.content === document.content) {
        throw new ToolError({ code: 'nothing_to_change', message: `"${document.title}" is already like that.` })
      }
      return {
        kind: 'document',
        documentId: document.id,
        title: after.title,
        // A new title is part of the change, so the difference has to show it.
        before: after.title === document.title ? document.content : `${document.title}\n\n${document.content}`,
        after: after.title === document.title ? after.content : `${after.title}\n\n${after.content}`,
        baseVersion: document.version,
      }
    },
  },
  async run(input, context, preview) {
    const document = await requireDocument(context, input.documentId, preview)
    const changed = {
      ...document,
      title: input.title ?? document.title,
      content: input.content ?? document.content,
      version: document.version + 1,
      updatedAt: context.now(),
    }
    await context.transaction.documents.update(changed)
    return { documentId: changed.id, title: changed.title, version: changed.version }
  },
})
