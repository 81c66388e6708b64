import * as z from 'zod/mini'
import { nonEmptyString, optionalJson, optionalText, optionalVersion } from '../fields.ts'

const approvalId = nonEmptyString
const decision = z.enum(['approved', 'rejected', 'modified', 'expired'])

/** What became of an approval; `expired` is the runtime's alone, a person's command never says it. */
export type ApprovalDecision = z.infer<typeof decision>
export const isApprovalDecision = (value: unknown): value is ApprovalDecision => decision.safeParse(value).success

/** How much is at stake, for the eye; any string, three being known. */
export type ApprovalRisk = 'low' | 'medium' | 'high' | (string & {})

export const approvalPayloads = {
  'approval.requested': z.object({
    approvalId,
    toolCallId: z.optional(nonEmptyString),
    description: optionalText,
    risk: z.optional(z.custom<ApprovalRisk>((value) => typeof value === 'string')),
    data: optionalJson,
    editable: z.optional(z.boolean()),
    expiresAt: z.optional(z.number()),
    version: optionalVersion,
  }),
  'approval.resolved': z.object({ approvalId, decision, data: optionalJson }),
}
