import type { AgentHistoryMessage } from 'redux-agent'
import type { AgentRecordedRun } from 'redux-agent/rtk-query'
import type { ConversationRun } from './conversationRun.ts'

const none: readonly AgentHistoryMessage[] = []

/** Makes the function that groups messages by their run, in order; what did not change stays the same object. */
export function createRunGrouping() {
  let known = new Map<string, ConversationRun>()

  return (options: {
    messages: readonly AgentHistoryMessage[]
    records: readonly AgentRecordedRun[]
    /** The runs that the page's own state holds, the oldest first. */
    ownRunIds: readonly string[]
  }): readonly ConversationRun[] => {
    const { messages, records, ownRunIds } = options
    const messagesByRun = new Map<string, AgentHistoryMessage[]>()
    for (const message of messages) {
      const ofRun = messagesByRun.get(message.runId)
      if (ofRun) ofRun.push(message)
      else messagesByRun.set(message.runId, [message])
    }
    const recordByRun = new Map(records.map((record) => [record.runId, record]))
    const next = new Map<string, ConversationRun>()
    for (const runId of [...messagesByRun.keys(), ...ownRunIds]) {
      if (next.has(runId)) continue
      const run = { runId, messages: messagesByRun.get(runId) ?? none, record: recordByRun.get(runId) }
      const before = known.get(runId)
      next.set(runId, before && isSame(before, run) ? before : run)
    }
    known = next
    return [...next.values()]
  }
}

function isSame(one: ConversationRun, other: ConversationRun): boolean {
  if (one.record !== other.record || one.messages.length !== other.messages.length) return false
  return one.messages.every((message, index) => message === other.messages[index])
}
