import type { AgentCommand, AgentCommandPayloadMap, AgentCommandType } from '../../src/protocol/agentCommand.ts'
import { getAgentActionKey } from '../../src/protocol/getAgentActionKey.ts'
import { getAgentCommandActionKey } from '../../src/protocol/getAgentCommandActionKey.ts'
import { getAgentEntityKey } from '../../src/protocol/getAgentEntityKey.ts'
import { isJsonValue } from '../../src/protocol/isJsonValue.ts'
import type { AgentState } from '../../src/state/agentState.ts'
import { getOwn } from '../../src/state/ownRecord.ts'
import { AgentRuntimeError } from '../agentRuntimeError.ts'
import type { ConnectionSlice } from '../connection/createConnectionReducer.ts'
import type { Runner } from '../runtime/createRunner.ts'
import { assertPresent } from '../runtime/assertPresent.ts'
import { findRun } from '../runtime/findRun.ts'
import type { LiveRun } from '../runtime/liveRun.ts'
import type { StoreContext } from '../runtime/storeContext.ts'

interface Request {
  type: AgentCommandType
  runId: string
  /** The session that the wish was made in, where that is known; a run of another one is none of its own. */
  sessionId?: string | undefined
  payload: AgentCommandPayloadMap[AgentCommandType]
}

/**
 * Makes every check of RFC 10.2 before a command exists.
 *
 * @throws AgentRuntimeError with the check's code.
 */
export function checkCommand(
  context: StoreContext,
  runner: Runner,
  request: Request,
): { sessionId: string; live: LiveRun } {
  const { type, runId } = request
  assertPresent(context.present)
  const { agentState, connection } = context.present.get()
  if (isRestoring(connection, request)) {
    const message = 'The conversation is being restored. Wait until it is there, then try again.'
    throw new AgentRuntimeError('restoring', message)
  }
  const found = findRun(agentState, runId)
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
  if (!capabilities.commands?.includes(type)) {
    throw new AgentRuntimeError('unsupported_capability', `Provider "${id}" does not support command "${type}".`)
  }
  if (!isJsonValue(request.payload)) {
    throw new AgentRuntimeError('invalid_command', `The data of command "${type}" is not JSON; send plain values.`)
  }
  entityChecks[type](found.state, runId, request.payload as never)
  checkSubmitted(live, request)
  return { sessionId: found.sessionId, live }
}

/** Whether the run, or the session that the wish was made in, is being read from storage. */
function isRestoring(connection: ConnectionSlice, { runId, sessionId }: Request): boolean {
  const { runs, latestRunBySession, checkpoints = {} } = connection
  const home = sessionId ?? getOwn(runs, runId)?.sessionId
  if (home !== undefined && getOwn(checkpoints, home)?.restore === 'restoring') return true
  const latest = sessionId === undefined ? undefined : getOwn(latestRunBySession, sessionId)
  return [runId, latest].some((id) => id !== undefined && getOwn(runs, id)?.state === 'restoring')
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

/** One command an action at a time, and none besides a cancel (RFC, section 17). */
function checkSubmitted({ submitted }: LiveRun, request: Request): void {
  if (submitted.has(getAgentCommandActionKey(request as AgentCommand))) {
    const message = `Command "${request.type}" has already been submitted. Wait for its answer.`
    throw new AgentRuntimeError('already_submitted', message)
  }
  if (submitted.has(getAgentActionKey({ runId: request.runId, type: 'run.cancel' }))) {
    throw new AgentRuntimeError('already_submitted', 'The cancellation has already been submitted.')
  }
}
