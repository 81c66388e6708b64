import type { AgentState } from '../state/agentState.ts'
import { getOwn } from '../state/ownRecord.ts'
import { getKeyedOrder } from './getKeyedOrder.ts'
import { getMessageStatus } from './getMessageStatus.ts'
import { isHiddenEntity } from './isHiddenEntity.ts'
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
 * Gives a state's messages as a chat shows them, in state order, each with its status; those whose `meta` says `reset`
 * or `hidden` are left out. The list stays the same one while no message and no run changes, and an item while its own
 * message does.
 *
 * @example
 * selectMessages(state).map(({ id, message, status }) => `${message.role} (${status}): ${message.content}`)
 */
export function selectMessages(state: AgentState, options: SelectMessagesOptions = {}): readonly MessageInfo[] {
  return selectMemoized(state, options)
}

function computeMessages(state: AgentState, { detachedRunIds = [] }: SelectMessagesOptions): readonly MessageInfo[] {
  const messages: MessageInfo[] = []
  for (const { reference, key } of getKeyedOrder(state.order)) {
    if (reference.kind !== 'message') continue
    // An entity's key begins with a number and a colon, as no property of a prototype does.
    const message = state.messages[key]
    if (!message || isHiddenEntity(message)) continue
    const { runId } = reference
    const status = getMessageStatus(message, getOwn(state.runs, runId), detachedRunIds.includes(runId))
    messages.push(toMessageInfo(message, status))
  }
  return messages
}
