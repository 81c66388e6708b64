import * as z from 'zod'
import { searchDocuments } from '../documents/searchDocuments.ts'
import { defineTool, type AgentTool } from './agentTool.ts'

/** Finds documents by words. */
export const documentSearch: AgentTool = defineTool({
  name: 'document_search',
  description: 'Find documents of the workspace by words of their title or text. An empty query lists all.',
  effect: 'read',
  schema: z.object({ query: z.string().max(500) }),
  async run({ query }, { ownerId, transaction }) {
    return { documents: searchDocuments(await transaction.documents.list(ownerId), query) }
  },
})
