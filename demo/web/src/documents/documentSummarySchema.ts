import * as z from 'zod/mini'
import { documentSchema } from './documentSchema.ts'

export const documentSummarySchema = z.extend(z.omit(documentSchema, { content: true }), { excerpt: z.string() })

/** What the list shows of a document. */
export type DocumentSummary = z.infer<typeof documentSummarySchema>
