import type { UnknownAction } from '@reduxjs/toolkit'
import type { AgentEvent } from '../../src/protocol/agentEvent.ts'
import { isFilled, isRecord } from '../../src/protocol/predicates.ts'
import type { AgentReduxActions } from '../runtime/createAgentReduxActions.ts'
import { getReceivedEvents } from './getReceivedEvents.ts'

/** What an `eventsReceived` action says; nothing of any other action, nor of one that was not made by its creator. */
export function readBatch(
  { eventsReceived }: Pick<AgentReduxActions, 'eventsReceived'>,
  action: UnknownAction,
):
  | { sessionId: string; events: readonly AgentEvent[]; cursors: Readonly<Record<string, string>> | undefined }
  | undefined {
  if (!eventsReceived.match(action)) return undefined
  const payload: unknown = action.payload
  if (!isRecord(payload) || !isFilled(payload.sessionId)) return undefined
  const { sessionId, cursors } = action.payload
  return { sessionId, events: getReceivedEvents(action), cursors: isRecord(cursors) ? cursors : undefined }
}
