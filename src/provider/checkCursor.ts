import type { AnyAgentProvider } from './agentProvider.ts'

/** Says what is wrong with a cursor that a provider gave, or nothing: what is no text could not be read from a checkpoint. */
export function checkCursor({ id }: Pick<AnyAgentProvider, 'id'>, cursor: unknown): string | undefined {
  if (typeof cursor === 'string') return undefined
  return `Provider "${id}" gave a cursor that is no text; give a string, such as String(sequence).`
}
