import * as z from 'zod/mini'
import type { AgentCommand } from '../../src/protocol/agentCommand.ts'
import { nonEmptyString, optionalText } from '../../src/protocol/fields.ts'
import { getAgentCommandActionKey } from '../../src/protocol/getAgentCommandActionKey.ts'
import { isAgentCommand } from '../../src/protocol/isAgentCommand.ts'
import { approvalPayloads } from '../../src/protocol/payloads/approvalPayloads.ts'
import type { AgentCommandError, AgentCommandState } from '../commandStates/agentCommandState.ts'
import { isCommandState } from '../commandStates/commandChange.ts'
import type { AgentSessionCommands } from '../commandStates/createCommandStatesReducer.ts'

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

/** A session's commands as its owner has them. */
export const tabCommandsSchema = z.object({
  states: z.array(tabCommandStateSchema),
  /** The keys of each action's newest. */
  latest: z.array(nonEmptyString),
  endedRuns: z.array(nonEmptyString),
})

export type TabCommandsSaid = z.infer<typeof tabCommandsSchema>

export function toTabCommands({ commandStates, latestCommandByAction, endedRuns }: AgentSessionCommands): TabCommandsSaid {
  const states = Object.values(commandStates)
  return { states, latest: Object.values(latestCommandByAction), endedRuns: [...endedRuns] }
}

/** Reads the commands that the owner of a session told this tab of. */
export function fromTabCommands(
  { states, latest, endedRuns }: TabCommandsSaid,
  { owner, tabId }: { owner: string; tabId: string },
): AgentSessionCommands {
  const known = states.map((state): AgentCommandState => {
    const { tabId: sender = owner, ...rest } = state
    return sender === tabId ? rest : { ...rest, tabId: sender }
  })
  const newest = known.filter(({ key }) => latest.includes(key))
  return {
    commandStates: Object.fromEntries(known.map((state) => [state.key, state])),
    latestCommandByAction: Object.fromEntries(newest.map(({ command, key }) => [getAgentCommandActionKey(command), key])),
    endedRuns,
  }
}
