import * as z from 'zod'
import { createIdSchema } from '../createIdSchema.ts'

const id = createIdSchema()

/** Body of a resume. */
export const resumeRequestSchema = z.object({
  resume: z.object({
    runId: id,
    lastAppliedSeq: z.int().nonnegative(),
    assistantMessageId: id.optional(),
  }),
})

export type ResumeRequest = z.infer<typeof resumeRequestSchema>['resume']
