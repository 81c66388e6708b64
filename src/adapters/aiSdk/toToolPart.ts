import { parseJson } from '../../parseJson.ts'
import { isRecord } from '../../protocol/predicates.ts'
import type { AgentState } from '../../state/agentState.ts'
import type { AgentApprovalState } from '../../state/entities/agentApprovalState.ts'
import type { AgentToolCallState } from '../../state/entities/agentToolCallState.ts'
import { omitUndefined } from '../../state/omitUndefined.ts'
import { isGranted, readReason, toOutput, toRefusal, type AiSdkAnswer } from './aiSdkAnswer.ts'
import { readAiSdkMeta, type AiSdkMeta } from './aiSdkMeta.ts'
import type { AiSdkPart } from './aiSdkMessage.ts'

/** Makes the UIMessage part of a tool call, with what is answered in the request that it is made for. */
export function toToolPart(
  state: AgentState,
  tool: AgentToolCallState,
  answers: ReadonlyMap<string, AiSdkAnswer>,
): AiSdkPart {
  const meta = readAiSdkMeta(tool) ?? {}
  const name = typeof meta.toolName === 'string' ? meta.toolName : tool.name
  const approvals = Object.values(state.approvals).filter(
    ({ runId, toolCallId }) => runId === tool.runId && toolCallId === tool.id,
  )
  const asked = approvals.findLast((entry) => !isClientTool(entry))
  const approval = asked && toApproval(asked, answers.get(asked.id))
  const client = approvals.find((entry) => isClientTool(entry) && answers.has(entry.id))
  const result = client ? toClientResult(answers.get(client.id)!) : toResult(state, tool, meta)
  return {
    ...(meta.dynamic ? { type: 'dynamic-tool', toolName: name } : { type: `tool-${name}` }),
    toolCallId: typeof meta.toolCallId === 'string' ? meta.toolCallId : tool.id,
    ...omitUndefined({
      title: meta.title,
      toolMetadata: meta.toolMetadata,
      providerExecuted: meta.providerExecuted,
      callProviderMetadata: meta.callProviderMetadata,
      resultProviderMetadata: meta.resultProviderMetadata,
    }),
    ...toInput(tool, meta),
    ...(approval && { approval }),
    ...result,
    ...(approval && result.state === 'input-available' && { state: toApprovalState(approval) }),
  }
}

const isClientTool = (approval: AgentApprovalState) => readAiSdkMeta(approval)?.isClientTool === true

const toApprovalState = ({ approved }: { approved?: boolean }) =>
  approved === undefined ? 'approval-requested' : 'approval-responded'

function toInput({ arguments: text }: AgentToolCallState, meta: AiSdkMeta): Record<string, unknown> {
  if (Object.hasOwn(meta, 'input')) return { input: meta.input }
  const input = parseJson(text)
  if (meta.state !== 'input-streaming') return input === undefined ? {} : { input }
  return omitUndefined({
    input: meta.inputEncoding === 'text' ? text : input,
    rawInput: text === '' ? undefined : text,
    inputEncoding: meta.inputEncoding,
  })
}

function toResult(state: AgentState, tool: AgentToolCallState, meta: AiSdkMeta): Record<string, unknown> {
  switch (meta.state) {
    case 'output-available':
      return { state: meta.state, ...(tool.result !== undefined && { output: tool.result }) }
    case 'output-error':
      return { state: meta.state, errorText: meta.errorText ?? tool.error?.message ?? '' }
    case 'output-denied':
    case 'input-streaming':
      return { state: meta.state }
    default:
      return toPreliminary(state, tool) ?? { state: 'input-available' }
  }
}

/** A call that has shown what it has so far, and nothing more. */
function toPreliminary(state: AgentState, { id, runId }: AgentToolCallState): Record<string, unknown> | undefined {
  const shown = Object.values(state.artifacts).find((artifact) => {
    const meta = artifact.runId === runId ? readAiSdkMeta(artifact) : undefined
    return meta?.type === 'preliminary' && meta.toolCallId === id
  })
  return shown && { state: 'output-available', output: shown.content, preliminary: true }
}

function toClientResult(answer: AiSdkAnswer): Record<string, unknown> {
  return isGranted(answer)
    ? { state: 'output-available', output: toOutput(answer) }
    : { state: 'output-error', errorText: toRefusal(answer) }
}

/** The server checks what it has signed: the question goes back as it came, with what was decided. */
function toApproval(approval: AgentApprovalState, answer: AiSdkAnswer | undefined) {
  const { descriptor, requestReason, isAutomatic, signature, reason, ...meta } = readAiSdkMeta(approval) ?? {}
  const { decision } = approval
  const decided = decision === undefined || decision === 'expired' ? undefined : decision !== 'rejected'
  const approved = answer ? isGranted(answer) : decided
  return {
    id: approval.id,
    ...omitUndefined({ approved, descriptor, requestReason, isAutomatic, signature }),
    ...(isRecord(meta) && Object.hasOwn(meta, 'inputSchemaInput') && { inputSchemaInput: meta.inputSchemaInput }),
    ...omitUndefined({ reason: answer ? readReason(answer) : reason }),
  }
}
