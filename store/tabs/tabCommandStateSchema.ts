import * as z from 'zod/mini'
import type { AgentCommand } from '../../src/protocol/agentCommand.ts'
import { nonEmptyString, optionalText } from '../../src/protocol/fields.ts'
import { isAgentCommand } from '../../src/protocol/isAgentCommand.ts'
import { approvalPayloads } from '../../src/protocol/payloads/approvalPayloads.ts'
import type { AgentCommandError, AgentCommandState } from '../commandStates/agentCommandState.ts'
import { isCommandState } from '../commandStates/isCommandState.ts'

const errorSchema = z.object({
  code: z.enum(['unsupported_capability', 'invalid_command', 'provider_error', 'protocol_error', 'interrupted']),
  message: z.string(),
  retryable: z.boolean(),
  reason: z.optional(z.string()),
  decision: z.optional(approvalPayloads['approval.resolved'].shape.decision),
}) satisfies z.ZodMiniType<AgentCommandError>

/** What a tab says of a command: which tab sent it, where it was another one. */
export const tabCommandStateSchema = z
  .object({
    command: z.custom<AgentCommand>(isAgentCommand),
    key: nonEmptyString,
    status: z.enum(['submitting', 'succeeded', 'failed']),
    error: z.optional(errorSchema),
    createdAt: z.number(),
    updatedAt: z.number(),
    tabId: optionalText,
  })
  .check(
    z.refine(isCommandState),
  ) satisfies z.ZodMiniType<AgentCommandState>
