import type { AgentEntityBase } from '../state/entities/agentEntityBase.ts'

/**
 * Says whether an entity is not for the eye: its `meta` says `reset`, as the runtime took it back, or `hidden`, as its
 * provider keeps it for its own requests.
 */
export function isHiddenEntity({ meta }: Pick<AgentEntityBase, 'meta'>): boolean {
  return meta !== undefined && (meta.reset === true || meta.hidden === true)
}
