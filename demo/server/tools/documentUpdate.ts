import * as z from 'zod'
import { defineTool, type AgentTool } from './agentTool.ts'
import { documentFields } from './documentFields.ts'
import { requireDocument } from './requireDocument.ts'
import { ToolError } from './toolError.ts'

const { documentId, title, content } = documentFields

/** Changes a document, after a person has seen the difference and agreed. */
export const documentUpdate: AgentTool = defineTool({
  name: 'document_update',
  description:
    'Change the title or the text of a document, or both. Give the whole new text. A person sees the difference and ' +
    'confirms it first.',
  effect: 'write',
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
