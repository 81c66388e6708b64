import type { AgentEvent } from '../protocol/agentEvent.ts'
import type { AgentEntityKind, AgentState } from './agentState.ts'
import type { AgentEntityBase } from './entities/agentEntityBase.ts'
import type { AgentRunState } from './entities/agentRunState.ts'
import { getOwn } from './ownRecord.ts'
import { createProcessedWriter, type ProcessedWriter } from './processed/createProcessedWriter.ts'

/** What a batch knows of one run while it writes; a plain record, as every event reads it. */
export interface RunDraft {
  readonly id: string
  state: AgentRunState | undefined
  isRunning: boolean
  /** -1 before the first event. */
  lastSequence: number
  hasChanged: boolean
  readonly processed: ProcessedWriter
  /** The batch's own copies of entities, so that a key is made once a batch. */
  readonly entities: Record<AgentEntityKind, Map<string, AgentEntityBase> | undefined>
  // Deltas come in rows for one entity: the last one asked for is most likely asked for again.
  lastKind: AgentEntityKind | undefined
  lastId: string
  lastEntity: AgentEntityBase | undefined
}

export function createRunDraft(options: { id: string; base: AgentState; settled?: AgentState | undefined }): RunDraft {
  const { id, base, settled } = options
  const home = settled && Object.hasOwn(settled.runs, id) ? settled : base
  const state = getOwn(home.runs, id)
  return {
    id,
    state,
    isRunning: state?.status === 'running',
    lastSequence: getOwn(home.lastSequenceByRun, id) ?? -1,
    hasChanged: false,
    processed: createProcessedWriter(id, getOwn(base.processedEvents, id)),
    entities: {
      message: undefined,
      reasoning: undefined,
      tool: undefined,
      approval: undefined,
      task: undefined,
      artifact: undefined,
    },
    lastKind: undefined,
    lastId: '',
    lastEntity: undefined,
  }
}

/** Notes that an event was dealt with; an accepted one moves the sequence. */
export function takeEvent(run: RunDraft, event: AgentEvent, accepted: boolean): void {
  if (accepted) run.lastSequence = event.sequence
  // What an unknown or ended run was refused is not remembered for it: hostile ids would pile up for ever.
  else if (!run.isRunning) return
  run.hasChanged = true
  if (run.isRunning || run.state === undefined) run.processed.add(event, accepted)
}

export function rememberEntity(run: RunDraft, kind: AgentEntityKind, id: string, entity: AgentEntityBase): void {
  // Most batches touch one entity, which needs no map.
  if (run.lastEntity && run.lastKind) mapOf(run, run.lastKind).set(run.lastId, run.lastEntity)
  setLast(run, kind, id, entity)
}

function mapOf(run: RunDraft, kind: AgentEntityKind): Map<string, AgentEntityBase> {
  return (run.entities[kind] ??= new Map())
}

export function recallEntity(run: RunDraft, kind: AgentEntityKind, id: string): AgentEntityBase | undefined {
  if (kind === run.lastKind && id === run.lastId) return run.lastEntity
  const entity = run.entities[kind]?.get(id)
  if (entity) rememberEntity(run, kind, id, entity)
  return entity
}

function setLast(run: RunDraft, kind: AgentEntityKind, id: string, entity: AgentEntityBase): void {
  run.lastKind = kind
  run.lastId = id
  run.lastEntity = entity
}
