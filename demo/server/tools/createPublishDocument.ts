import * as z from 'zod'
import { defineTool, type AgentTool } from './agentTool.ts'
import type { PublishingService } from './createPublishingService.ts'
import { requireDocument } from './requireDocument.ts'

/** Makes the tool that publishes a document as it is, after a person has agreed. */
export function createPublishDocument(service: PublishingService): AgentTool {
  return defineTool({
    name: 'publish_document',
    description: 'Publish a document as it is now. A person confirms it first.',
    effect: 'write',
    schema: z.object({ documentId: z.string().min(1) }),
    approval: {
      risk: 'high',
      editable: false,
      describe: (preview) => `Publish the document "${preview.title}"`,
      async preview(input, context) {
        const document = await requireDocument(context, input.documentId)
        const published = await context.transaction.publications.get(context.ownerId, document.id)
        return {
          kind: 'document',
          documentId: document.id,
          title: document.title,
          before: published?.content ?? '',
          after: document.content,
          baseVersion: document.version,
        }
      },
    },
    connect: async (ownerId) => service.connect(ownerId),
    async run(input, context, preview) {
      const { ownerId, id, title, content, version } = await requireDocument(context, input.documentId, preview)
      const publishedAt = context.now()
      await context.transaction.publications.put({ ownerId, documentId: id, title, content, version, publishedAt })
      return { documentId: id, title, version, publishedAt }
    },
  })
}
