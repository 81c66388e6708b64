import { getAgentEntityKey } from '../../protocol/getAgentEntityKey.ts'
import { isFilled, isRecord } from '../../protocol/predicates.ts'
import type { AgentState } from '../../state/agentState.ts'
import type { AgentApprovalState } from '../../state/entities/agentApprovalState.ts'
import type { AgentMessageState } from '../../state/entities/agentMessageState.ts'
import type { AgentReasoningState } from '../../state/entities/agentReasoningState.ts'
import type { AgentRunState } from '../../state/entities/agentRunState.ts'
import type { AgentToolCallState } from '../../state/entities/agentToolCallState.ts'
import { getOwn } from '../../state/ownRecord.ts'
import type { OpenAIToolResult } from './openAIInput.ts'

/** A tool call, and what answered it, if anything did. */
export interface ConversationCall {
  readonly kind: 'call'
  readonly call: AgentToolCallState
  answer: { readonly result: unknown } | undefined
}

/** What a model is told, or may be given back. */
export type ConversationEntry =
  | { readonly kind: 'message'; readonly message: AgentMessageState }
  | { readonly kind: 'reasoning'; readonly reasoning: AgentReasoningState }
  | { readonly kind: 'approval'; readonly approval: AgentApprovalState }
  | ConversationCall

/** What a model is told of a run, in state order. */
export interface ConversationRun {
  readonly run: AgentRunState
  readonly entries: ConversationEntry[]
}

/**
 * Reads a session's runs as a conversation, but for the one that asks; what a runtime took back is left out. A call is
 * answered by its own result, or by the results that a later run was started with: the app's.
 */
export function readConversation(
  state: AgentState,
  options: { exceptRunId?: string | undefined; toolResults?: readonly OpenAIToolResult[] | undefined },
): ConversationRun[] {
  const runs = new Map<string, ConversationRun>()
  const calls = new Map<string, ConversationCall>()

  function runOf(runId: string): ConversationRun | undefined {
    const known = runs.get(runId)
    const run = known ? undefined : getOwn(state.runs, runId)
    if (!run) return known
    const begun = { run, entries: [] }
    runs.set(runId, begun)
    answer(calls, readToolResults(run.input))
    return begun
  }

  for (const { kind, id, runId } of state.order) {
    if (runId === options.exceptRunId) continue
    const found = runOf(runId)
    if (!found) continue
    const key = getAgentEntityKey(runId, id)
    if (kind === 'message') {
      const message = getOwn(state.messages, key)
      if (message && !isReset(message)) found.entries.push({ kind, message })
    } else if (kind === 'tool') {
      const call = getOwn(state.toolCalls, key)
      if (!call || isReset(call)) continue
      const isAnswered = call.status === 'completed' && call.result !== undefined
      const entry: ConversationCall = { kind: 'call', call, answer: isAnswered ? { result: call.result } : undefined }
      calls.set(id, entry)
      found.entries.push(entry)
    } else if (kind === 'reasoning') {
      const reasoning = getOwn(state.reasoning, key)
      if (reasoning) found.entries.push({ kind, reasoning })
    } else if (kind === 'approval') {
      const approval = getOwn(state.approvals, key)
      if (approval) found.entries.push({ kind, approval })
    }
  }
  // A run of nothing but answers may have no entity yet.
  for (const runId of Object.keys(state.runs)) if (runId !== options.exceptRunId) runOf(runId)
  answer(calls, options.toolResults ?? [])
  return [...runs.values()]
}

const isReset = ({ meta }: Pick<AgentMessageState, 'meta'>) => meta?.reset === true

/** A later call may have an earlier one's id: the latest before the answer is meant. */
function answer(calls: ReadonlyMap<string, ConversationCall>, results: readonly OpenAIToolResult[]): void {
  for (const { toolCallId, result } of results) {
    const entry = calls.get(toolCallId)
    if (entry) entry.answer = { result }
  }
}

function readToolResults(input: unknown): readonly OpenAIToolResult[] {
  const results = isRecord(input) ? input.toolResults : undefined
  if (!Array.isArray(results)) return []
  return results.filter((entry): entry is OpenAIToolResult => isRecord(entry) && isFilled(entry.toolCallId))
}
