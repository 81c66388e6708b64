import type { AgentState } from '../state/agentState.ts'
import { getAgentEntityKey } from '../protocol/getAgentEntityKey.ts'
import { getOwn } from '../state/ownRecord.ts'
import { getMessageStatus } from './getMessageStatus.ts'
import { memoizeByRecords } from './memoizeByRecords.ts'
import type { MessageInfo } from './messageInfo.ts'
import { toMessageInfo } from './toMessageInfo.ts'

/** Runs that this page let go of (by `abort`): their open messages show `abort`. */
export interface SelectMessagesOptions {
  detachedRunIds?: readonly string[] | undefined
}

const selectMemoized = memoizeByRecords({
  records: (state: AgentState) => [state.order, state.messages, state.runs],
  key: ({ detachedRunIds = [] }: SelectMessagesOptions) => JSON.stringify(detachedRunIds),
  compute: computeMessages,
})

/**
 * Gives a state's messages as a chat shows them, in state order, each with its status. The list stays the same one
 * while no message and no run changes, and an item while its own message does.
 *
 * @example
 * selectMessages(state).map(({ id, message, status }) => `${message.role} (${status}): ${message.content}`)
 */
export function selectMessages(state: AgentState, options: SelectMessagesOptions = {}): readonly MessageInfo[] {
  return selectMemoized(state, options)
}

function computeMessages(state: AgentState, { detachedRunIds = [] }: SelectMessagesOptions): readonly MessageInfo[] {
  const messages: MessageInfo[] = []
  for (const { kind, runId, id } of state.order) {
    if (kind !== 'message') continue
    const message = getOwn(state.messages, getAgentEntityKey(runId, id))
    if (!message) continue
    const status = getMessageStatus(message, getOwn(state.runs, runId), detachedRunIds.includes(runId))
    messages.push(toMessageInfo(message, status))
  }
  return messages
}
