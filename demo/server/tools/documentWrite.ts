import * as z from 'zod'
import { defineTool, type AgentTool } from './agentTool.ts'
import { documentFields } from './documentFields.ts'

const { title, content } = documentFields

/** Writes a new document, after a person has agreed. */
export const documentWrite: AgentTool = defineTool({
  name: 'document_write',
  description: 'Write a new document. A person sees and confirms it first.',
  effect: 'write',
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
