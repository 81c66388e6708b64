import * as z from 'zod'

/** Arguments that several document tools share. */
export const documentFields = {
  documentId: z.string().min(1).describe('Id of a document, as document_search gives it'),
  title: z.string().trim().min(1).max(200),
  content: z.string().max(200_000).describe('The whole text, in Markdown'),
}
