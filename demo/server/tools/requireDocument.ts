import type { ChangePreview, DocumentRow } from '../store/rows.ts'
import type { ToolContext } from './agentTool.ts'
import { ToolError } from './toolError.ts'

/** Reads the document that a tool call is about; with a preview, only as it was when that was made. */
export async function requireDocument(
  context: ToolContext,
  documentId: string,
  preview?: ChangePreview,
): Promise<DocumentRow> {
  const document = await context.transaction.documents.get(context.ownerId, documentId)
  if (document === undefined) {
    throw new ToolError({
      code: 'document_not_found',
      message: `There is no document with the id "${documentId}". Search for it first and use an id that was found.`,
    })
  }
  if (preview?.baseVersion !== undefined && preview.baseVersion !== document.version) {
    throw new ToolError({
      code: 'document_changed',
      message:
        `"${document.title}" was changed after this change was previewed (version ${preview.baseVersion} then, ` +
        `${document.version} now), so nothing was written over it. Read it again and propose the change anew.`,
    })
  }
  return document
}
