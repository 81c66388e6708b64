import type { AgentEntityKind } from './agentState.ts'
import type { AgentEntityBase } from './entities/agentEntityBase.ts'
import type { RunDraft } from './runDraft.ts'

/** Notes the batch's own copy of an entity. */
export function rememberEntity(run: RunDraft, kind: AgentEntityKind, id: string, entity: AgentEntityBase): void {
  // Most batches touch one entity, which needs no map.
  if (run.lastEntity && run.lastKind) (run.entities[run.lastKind] ??= new Map()).set(run.lastId, run.lastEntity)
  run.lastKind = kind
  run.lastId = id
  run.lastEntity = entity
}
