import { assertNever } from '../../assertNever.ts'
import type { AgentEvent } from '../../protocol/agentEvent.ts'
import type { AgentEventFactory } from '../../protocol/createAgentEventFactory.ts'
import type { AgentError } from '../../protocol/agentError.ts'
import type { AgentEntityKind } from '../../state/agentState.ts'

/** An entity of a run that has not ended. */
export interface OpenEntity {
  readonly kind: AgentEntityKind
  readonly id: string
}

/** How entities end with their run. */
export type EntityEnding =
  | { readonly status: 'completed' }
  | { readonly status: 'failed'; readonly error: AgentError }
  | { readonly status: 'cancelled'; readonly reason?: string | undefined }

/** Ends an entity as its run ends; an approval that nobody answered expires. */
export function closeEntity(events: AgentEventFactory, entity: OpenEntity, ending: EntityEnding): AgentEvent {
  const { kind, id } = entity
  switch (kind) {
    case 'message':
      return end(events, 'message', { messageId: id }, ending)
    case 'reasoning':
      return end(events, 'reasoning', { reasoningId: id }, ending)
    case 'tool':
      return end(events, 'tool', { toolCallId: id }, ending)
    case 'task':
      return end(events, 'task', { taskId: id }, ending)
    case 'artifact':
      return closeArtifact(events, id, ending)
    case 'approval':
      return events.create('approval.resolved', { approvalId: id, decision: 'expired' })
    default:
      return assertNever(kind)
  }
}

function end(
  events: AgentEventFactory,
  kind: 'message' | 'reasoning' | 'tool' | 'task',
  entity: Readonly<Record<string, string>>,
  ending: EntityEnding,
): AgentEvent {
  const { status, ...stated } = ending
  // Each of these kinds has the same three ends, with the same fields.
  return events.create(`${kind}.${status}`, { ...entity, ...stated } as never) as AgentEvent
}

// There is no cancelled artifact: what is not made in the end is a failure.
function closeArtifact(events: AgentEventFactory, artifactId: string, ending: EntityEnding): AgentEvent {
  if (ending.status === 'completed') return events.create('artifact.completed', { artifactId })
  const error = ending.status === 'failed' ? ending.error : { code: 'cancelled', message: 'It was not finished.' }
  return events.create('artifact.failed', { artifactId, error })
}
