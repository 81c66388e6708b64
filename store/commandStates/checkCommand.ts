import { freeze } from '@reduxjs/toolkit'
import type { AgentCommand, AgentCommandPayloadMap, AgentCommandType } from '../../src/protocol/agentCommand.ts'
import { getAgentActionKey } from '../../src/protocol/getAgentActionKey.ts'
import { getAgentCommandActionKey } from '../../src/protocol/getAgentCommandActionKey.ts'
import { getAgentEntityKey } from '../../src/protocol/getAgentEntityKey.ts'
import { isJsonValue } from '../../src/protocol/isJsonValue.ts'
import type { AgentState } from '../../src/state/agentState.ts'
import { getOwn } from '../../src/state/ownRecord.ts'
import { AgentRuntimeError } from '../agentRuntimeError.ts'
import { noCommands, type AgentSessionCommands } from './createCommandStatesReducer.ts'
import type { Runner } from '../runtime/runner.ts'
import { assertPresent } from '../runtime/assertPresent.ts'
import { assertRestored } from '../runtime/assertRestored.ts'
import { findRun } from '../runtime/findRun.ts'
import type { LiveRun } from '../runtime/liveRun.ts'
import type { StoreContext } from '../runtime/storeContext.ts'

interface Request<Type extends AgentCommandType> {
  type: Type
  runId: string
  /** The session that the wish was made in, where that is known; a run of another one is none of its own. */
  sessionId?: string | undefined
  payload: AgentCommandPayloadMap[Type]
}

/**
 * Makes every check of RFC 10.2 before a command exists; gives its payload as a copy of its own.
 *
 * @throws AgentRuntimeError with the check's code.
 */
export function checkCommand<Type extends AgentCommandType>(
  context: StoreContext,
  runner: Runner,
  request: Request<Type>,
): { sessionId: string; live: LiveRun; payload: AgentCommandPayloadMap[Type] } {
  const { type, runId } = request
  assertPresent(context.present)
  assertRestored(context.present.get(), request)
  const found = findRun(context.present.get().agentState, runId)
  if (!found || (request.sessionId ?? found.sessionId) !== found.sessionId) {
    throw new AgentRuntimeError('missing_run', `Run "${runId}" does not exist in the active session.`)
  }
  const { status } = found.state.runs[runId]!
  if (status !== 'running') throw new AgentRuntimeError('run_ended', `Run "${runId}" has ended: it is ${status}.`)
  const live = runner.liveRunOf(runId)
  if (!live) {
    const message = `The provider of run "${runId}" is not known here. Add it to createAgentRuntime({ providers }).`
    throw new AgentRuntimeError('unknown_provider', message)
  }
  const { capabilities, id } = live.provider
  if (getOwn(context.present.get().connection.runs, runId)?.isFollowed) {
    const message = `Run "${runId}" is only followed here. Command it where it was started.`
    throw new AgentRuntimeError('unsupported_capability', message)
  }
  if (!Array.isArray(capabilities.commands) || !capabilities.commands.includes(type)) {
    throw new AgentRuntimeError('unsupported_capability', `Provider "${id}" does not support command "${type}".`)
  }
  const payload = ownPayload(request)
  entityChecks[type](found.state, runId, payload as never)
  const commands = getOwn(context.present.get().commandStates, found.sessionId) ?? noCommands
  checkSubmitted({ live, commands }, { ...request, payload })
  return { sessionId: found.sessionId, live, payload }
}

/**
 * Takes what was passed by value: a resend is told from another command by its data, which the caller may write into,
 * and no provider may write into the state.
 */
function ownPayload<Type extends AgentCommandType>({ type, payload }: Request<Type>): AgentCommandPayloadMap[Type] {
  try {
    const own = structuredClone(payload)
    // The copy as well: a getter may give something else when it is read again.
    if (isJsonValue(payload) && isJsonValue(own)) return freeze(own, true)
  } catch {
    // A getter or a proxy may throw when it is read, and cannot be copied.
  }
  throw new AgentRuntimeError('invalid_command', `The data of command "${type}" is not JSON; send plain values.`)
}

const entityChecks: {
  readonly [Type in AgentCommandType]: (state: AgentState, runId: string, payload: AgentCommandPayloadMap[Type]) => void
} = {
  'approval.resolve': checkApproval,
  'tool.retry': checkTool,
  'run.cancel': () => undefined,
}

function checkApproval(state: AgentState, runId: string, payload: AgentCommandPayloadMap['approval.resolve']): void {
  const { approvalId, decision, expectedVersion } = payload
  const approval = getOwn(state.approvals, getAgentEntityKey(runId, approvalId))
  if (approval?.status !== 'waiting') {
    const standing = approval?.decision ? `: it is already ${approval.decision}` : ''
    throw new AgentRuntimeError('approval_not_waiting', `Approval "${approvalId}" is not waiting${standing}.`)
  }
  if (!['approved', 'rejected', 'modified'].includes(decision)) {
    throw new AgentRuntimeError('invalid_command', 'A decision is one of approved, rejected and modified.')
  }
  if (decision === 'modified' && approval.editable === false) {
    throw new AgentRuntimeError('not_editable', `Approval "${approvalId}" is not editable. Approve or reject it.`)
  }
  if (expectedVersion !== undefined && expectedVersion !== approval.version) {
    const message = `Approval "${approvalId}" has changed: its version does not match. Look at it again, then decide.`
    throw new AgentRuntimeError('version_conflict', message)
  }
}

function checkTool(state: AgentState, runId: string, { toolCallId }: AgentCommandPayloadMap['tool.retry']): void {
  const tool = getOwn(state.toolCalls, getAgentEntityKey(runId, toolCallId))
  if (tool?.status !== 'failed') {
    throw new AgentRuntimeError('tool_not_failed', `Tool call "${toolCallId}" is not failed, so there is no retry.`)
  }
  if (tool.error?.retryable !== true) {
    throw new AgentRuntimeError('not_retryable', `Tool call "${toolCallId}" is not retryable, says its runtime.`)
  }
}

/** One command an action at a time, whichever tab sends it, and none besides a cancel (RFC, section 17). */
function checkSubmitted(
  { live, commands }: { live: LiveRun; commands: AgentSessionCommands },
  request: Request<AgentCommandType>,
): void {
  const isElsewhere = (action: string) =>
    Object.values(commands.commandStates).some(
      ({ status, tabId, command }) =>
        status === 'submitting' && tabId !== undefined && getAgentCommandActionKey(command) === action,
    )
  const isSubmitted = (action: string) => live.submitted.has(action) || isElsewhere(action)
  if (isSubmitted(getAgentCommandActionKey(request as AgentCommand))) {
    const message = `Command "${request.type}" has already been submitted. Wait for its answer.`
    throw new AgentRuntimeError('already_submitted', message)
  }
  if (isSubmitted(getAgentActionKey({ runId: request.runId, type: 'run.cancel' }))) {
    throw new AgentRuntimeError('already_submitted', 'The cancellation has already been submitted.')
  }
}
