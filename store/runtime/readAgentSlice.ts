import type { AgentSlice } from './agentSlice.ts'
import { createPathTaken } from './createPathTaken.ts'

/**
 * Reads a runtime's slice of the app's state; nothing where there is none, which is also what a slice that was
 * injected late looks like until the next action.
 *
 * @throws AgentRuntimeError `path_taken` where something else stands there.
 */
export function readAgentSlice(root: unknown, reducerPath: string): AgentSlice | undefined {
  const slice = (root as Record<string, unknown> | null | undefined)?.[reducerPath]
  if (slice === undefined) return undefined
  if (typeof slice === 'object' && slice !== null && 'agentState' in slice) return slice as AgentSlice
  throw createPathTaken(reducerPath)
}
