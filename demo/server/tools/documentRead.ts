import * as z from 'zod'
import { defineTool, type AgentTool } from './agentTool.ts'
import { documentFields } from './documentFields.ts'
import { requireDocument } from './requireDocument.ts'

const { documentId } = documentFields

/** Reads one document whole. */
export const documentRead: AgentTool = defineTool({
  name: 'document_read',
  description: 'Read a document.',
  effect: 'read',
  schema: z.object({ documentId }),
  async run(input, context) {
    const { id, title: name, content: text, version } = await requireDocument(context, input.documentId)
    return { documentId: id, title: name, content: text, version }
  },
})
