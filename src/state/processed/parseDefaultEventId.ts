import type { AgentEventType } from '../../protocol/agentEventPayloads.ts'
import { getAgentEventId } from '../../protocol/getAgentEventId.ts'
import { defaultIdSequence } from './defaultIdSequence.ts'
import { eventTypeCode } from './eventTypeCode.ts'

/** Reads a run's default id, `runId:sequence:type`; nothing for any other id. */
export function parseDefaultEventId(
  runId: string,
  eventId: string,
): { sequence: number; type: AgentEventType } | undefined {
  const sequence = defaultIdSequence(eventId, runId.length)
  if (sequence < 0) return undefined
  const type = eventId.slice(eventId.lastIndexOf(':') + 1) as AgentEventType
  const isDefault = eventTypeCode(type) !== undefined && getAgentEventId({ runId, sequence, type }) === eventId
  return isDefault ? { sequence, type } : undefined
}
