import { isRecord } from '../../protocol/predicates.ts'
import type { AgentToolCallState } from '../../state/entities/agentToolCallState.ts'
import { parseArguments } from '../support/parseArguments.ts'
import { customToolType } from './customToolType.ts'

/** The text that a custom tool was called with, which stands in the state as JSON; nothing for any other call. */
export function readCustomInput({ arguments: text, meta }: Pick<AgentToolCallState, 'arguments' | 'meta'>): string | undefined {
  const note = meta?.openai
  if (!isRecord(note) || note.type !== customToolType) return undefined
  const value = parseArguments(text)
  return typeof value === 'string' ? value : text
}
