import type { AgentCommand } from '../protocol/agentCommand.ts'
import { isAgentCommand } from '../protocol/isAgentCommand.ts'
import type { AgentCommandOptions, AnyAgentProvider } from '../provider/agentProvider.ts'
import type { AgentTransportTimers } from '../transport/agentTransportTimers.ts'
import type { AgentProviderCommandIssue, AgentProviderCommandIssueCode } from './agentProviderCommandIssue.ts'
import { createDeadline } from './createDeadline.ts'
import { findAnswerIssues } from './findAnswerIssues.ts'

/** A command that the provider is asked to execute, and the run's last sequence at that time. */
export interface AgentProviderCommandSample {
  command: AgentCommand
  initialSequence: number
}

/** What `validateAgentProviderCommands` takes. */
export interface ValidateAgentProviderCommandsOptions {
  provider: AnyAgentProvider
  /** Commands that the provider can grant, executed one after another, and ones that it does not declare. */
  commands: readonly AgentProviderCommandSample[]
  /** How long an answer may take to end, and to close after an abort; in milliseconds, 5,000 by default; 0 is for ever. */
  timeout?: number | undefined
  timers?: AgentTransportTimers | undefined
  /**
   * Gives the state of the commands' session, for a provider that makes its requests of it.
   *
   * @experimental
   */
  getAgentState?: AgentCommandOptions['getAgentState']
}

/**
 * Executes commands and checks how a provider takes them against the contract (RFC, section 9): what is declared is
 * executed and what is not is refused, errors come by the answer and not before it, its events are valid, declared, of
 * the command's run and in sequence, it ends, and an abort closes it. No issue means that the provider keeps it.
 *
 * @example
 * const command = commands.create('approval.resolve', { approvalId: 'a1', decision: 'approved' })
 * expect(await validateAgentProviderCommands({ provider, commands: [{ command, initialSequence: 4 }] })).toEqual([])
 */
export async function validateAgentProviderCommands(
  options: ValidateAgentProviderCommandsOptions,
): Promise<AgentProviderCommandIssue[]> {
  const { provider, commands, timeout = 5000, timers, getAgentState } = options
  const declared = provider.capabilities.commands ?? []
  const issues: AgentProviderCommandIssue[] = []
  if (declared.length > 0 && typeof provider.executeCommand !== 'function') {
    const message = `"${declared.join('", "')}" is in capabilities.commands, but there is no executeCommand.`
    issues.push({ code: 'missing_execute_command', message })
  }
  for (const [index, { command, initialSequence }] of commands.entries()) {
    const report = (code: AgentProviderCommandIssueCode, message: string, eventId?: string) =>
      issues.push({ code, message, commandId: command.commandId, ...(eventId !== undefined && { eventId }) })
    if (!isAgentCommand(command)) {
      issues.push({ code: 'invalid_command', message: `Command ${index} is no AgentCommand 0.1, so it was not sent.` })
    } else if (typeof provider.executeCommand === 'function') {
      await findAnswerIssues({
        provider,
        command,
        initialSequence,
        getAgentState,
        report,
        isDeclared: declared.includes(command.type),
        createDeadline: () => createDeadline({ timeout, timers }),
      })
    }
  }
  return issues
}
