import type { ThreadMessageLike } from '@assistant-ui/react'
import { getAgentEntityKey } from '../../src/protocol/getAgentEntityKey.ts'
import type { AgentTimelineItem } from '../../src/selectors/agentTimelineItem.ts'
import { selectAgentTimeline } from '../../src/selectors/selectAgentTimeline.ts'
import type { AgentState } from '../../src/state/agentState.ts'
import { getOwn } from '../../src/state/ownRecord.ts'
import { toThreadContent } from './toThreadContent.ts'
import { toThreadStatus } from './toThreadStatus.ts'

/** Items that are one message in assistant-ui's eyes: a user's, or all that a run says until the user speaks again. */
interface Turn {
  readonly role: 'assistant' | 'user' | 'system'
  readonly runId: string
  readonly items: AgentTimelineItem[]
}

/**
 * Makes the messages of assistant-ui: a run's texts, reasoning, tool calls, tasks and artifacts are the parts of one
 * message, as its components show them. A message stays the same object while all that it shows does.
 */
export function toThreadMessages(
  state: AgentState,
  { former, isRequesting }: { former: ReadonlyMap<string, ThreadEntry>; isRequesting: boolean },
): ReadonlyMap<string, ThreadEntry> {
  const entries = new Map<string, ThreadEntry>()
  const turns = toTurns(state)
  // Of runs that speak in turn, each has a last one.
  const lastOf = new Map(turns.map(({ runId }, index) => [runId, index]))
  turns.forEach((turn, index) => {
    const isLast = lastOf.get(turn.runId) === index
    const id = getTurnId(turn)
    const status = turn.role === 'assistant' ? toThreadStatus(state, { runId: turn.runId, isLast, isRequesting }) : undefined
    const run = getOwn(state.runs, turn.runId)
    const shown = [JSON.stringify(status), ...turn.items.map(({ entity }) => entity), ...approvalsOf(state, turn)]
    const before = former.get(id)
    const isSame = before?.shown.length === shown.length && shown.every((part, at) => part === before.shown[at])
    entries.set(id, isSame ? before : { shown, message: toMessage(state, turn, { id, status, createdAt: run?.createdAt }) })
  })
  return entries
}

/** A message, and what it was made of. */
export interface ThreadEntry {
  readonly shown: readonly unknown[]
  readonly message: ThreadMessageLike
}

function toTurns(state: AgentState): readonly Turn[] {
  const turns: Turn[] = []
  for (const item of selectAgentTimeline(state)) {
    const role = item.kind === 'message' ? toRole(item.entity.role) : 'assistant'
    const last = turns.at(-1)
    if (role === 'assistant' && last?.role === 'assistant' && last.runId === item.runId) last.items.push(item)
    else turns.push({ role, runId: item.runId, items: [item] })
  }
  // A run that failed before it said a word still says why.
  for (const { id, status } of Object.values(state.runs)) {
    if (status === 'failed' && !turns.some(({ runId, role }) => runId === id && role === 'assistant')) {
      const at = turns.findLastIndex(({ runId }) => runId === id)
      turns.splice(at < 0 ? turns.length : at + 1, 0, { role: 'assistant', runId: id, items: [] })
    }
  }
  return turns
}

const toRole = (role: string): Turn['role'] => (role === 'user' || role === 'system' ? role : 'assistant')

function getTurnId({ runId, items: [first] }: Turn): string {
  return first ? `${first.kind}:${getAgentEntityKey(runId, first.id)}` : `run:${runId}`
}

/** The approvals of a turn's tool calls, which stand elsewhere in the timeline. */
function approvalsOf(state: AgentState, { runId, items }: Turn): readonly unknown[] {
  const calls = new Set(items.map((item) => (item.kind === 'tool' ? item.id : undefined)))
  return Object.values(state.approvals).filter(
    (approval) => approval.runId === runId && approval.toolCallId !== undefined && calls.has(approval.toolCallId),
  )
}

function toMessage(
  state: AgentState,
  { role, runId, items }: Turn,
  { id, status, createdAt }: { id: string; status: ThreadMessageLike['status']; createdAt: number | undefined },
): ThreadMessageLike {
  return {
    id,
    role,
    content: items.flatMap((item) => toThreadContent(state, item)),
    ...(createdAt !== undefined && { createdAt: new Date(createdAt) }),
    ...(status && { status }),
    metadata: { runId },
  }
}
