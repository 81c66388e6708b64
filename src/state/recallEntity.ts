import type { AgentEntityKind } from './agentState.ts'
import type { AgentEntityBase } from './entities/agentEntityBase.ts'
import { rememberEntity } from './rememberEntity.ts'
import type { RunDraft } from './runDraft.ts'

/** Gives the batch's own copy of an entity, where it has one. */
export function recallEntity(run: RunDraft, kind: AgentEntityKind, id: string): AgentEntityBase | undefined {
  if (kind === run.lastKind && id === run.lastId) return run.lastEntity
  const entity = run.entities[kind]?.get(id)
  if (entity) rememberEntity(run, kind, id, entity)
  return entity
}
