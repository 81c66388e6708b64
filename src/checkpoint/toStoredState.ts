import type { AgentError } from '../protocol/agentError.ts'
import type { AgentState } from '../state/agentState.ts'
import type { AgentReasoningState } from '../state/entities/agentReasoningState.ts'
import { omitUndefined } from '../state/omitUndefined.ts'

const recordsWithErrors = ['runs', 'messages', 'reasoning', 'toolCalls', 'approvals', 'tasks', 'artifacts'] as const

/** Leaves out what is never stored: the text of redacted reasoning, and what an error has beyond its own fields. */
export function toStoredState(state: AgentState): AgentState {
  const stored: Record<string, unknown> = { ...state }
  for (const name of recordsWithErrors) stored[name] = mapRecord<{ error?: AgentError }>(state[name], withPlainError)
  stored.reasoning = mapRecord(stored.reasoning as AgentState['reasoning'], withoutRedacted)
  return stored as unknown as AgentState
}

function withPlainError<Value extends { error?: AgentError }>(value: Value): Value {
  if (value.error === undefined) return value
  // A runtime's error may have carried its cause along.
  const { message, code, retryable, details } = value.error
  return { ...value, error: { message, ...omitUndefined({ code, retryable, details }) } }
}

function withoutRedacted(reasoning: AgentReasoningState): AgentReasoningState {
  if (!reasoning.redacted) return reasoning
  const { summary: _, ...rest } = reasoning
  return { ...rest, content: '' }
}

/** Maps a record; the record itself is given back where nothing changed. */
function mapRecord<Value>(record: Readonly<Record<string, Value>>, map: (value: Value) => Value) {
  let hasChanged = false
  const entries = Object.entries(record).map(([key, value]) => {
    const mapped = map(value)
    hasChanged ||= mapped !== value
    return [key, mapped] as const
  })
  return hasChanged ? Object.fromEntries(entries) : record
}
