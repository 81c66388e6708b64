import * as z from 'zod/mini'

/** What the run server asks a person about: the tool's arguments, and what they would change. */
export const approvalChangeSchema = z.object({
  toolName: z.string(),
  arguments: z.record(z.string(), z.unknown()),
  preview: z.object({ kind: z.string(), title: z.string(), before: z.string(), after: z.string() }),
})

export type ApprovalChange = z.infer<typeof approvalChangeSchema>
