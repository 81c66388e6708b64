import type { AgentEventType } from '../../protocol/agentEventPayloads.ts'
import { defaultIdSequence } from './defaultIdSequence.ts'
import { eventTypeCode } from './eventTypeCode.ts'

/** Reads a run's default id, `runId:sequence:type`; nothing for any other id. */
export function parseDefaultEventId(
  runId: string,
  eventId: string,
): { sequence: number; type: AgentEventType } | undefined {
  const sequence = defaultIdSequence(eventId, runId.length)
  if (sequence < 0) return undefined
  const typeStart = eventId.lastIndexOf(':') + 1
  const digits = typeStart - runId.length - 2
  const isPlain = digits === 1 || eventId[runId.length + 1] !== '0'
  // Digits alone stand between the first colon after the run's id and the next, which must be the last one.
  const isWhole = digits === String(sequence).length && eventId.startsWith(runId)
  const type = eventId.slice(typeStart) as AgentEventType
  return isPlain && isWhole && eventTypeCode(type) !== undefined ? { sequence, type } : undefined
}
