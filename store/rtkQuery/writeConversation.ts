import { original } from '@reduxjs/toolkit'
import { copyWithStructuralSharing } from '@reduxjs/toolkit/query'
import type { AgentConversation } from './agentReadModel.ts'

type Writable<Value> = { -readonly [Key in keyof Value]: Value[Key] }

/**
 * Lays a conversation's newest page over what was read of it before: what came before the page stays, and what did not
 * change stays the same object, so that its row does not render again. A page that does not reach back to what is known
 * takes its place, as something may lie between.
 */
function mergeConversation(known: AgentConversation, page: AgentConversation): AgentConversation {
  const first = page.messages[0]
  const isSame = (one: { id: string; runId: string }) => one.id === first?.id && one.runId === first.runId
  const at = page.nextCursor === null ? 0 : known.messages.findIndex(isSame)
  if (at <= 0) return copyWithStructuralSharing(known, page) as AgentConversation
  const fresh = new Set(page.runs.map(({ runId }) => runId))
  return copyWithStructuralSharing(known, {
    ...page,
    messages: [...known.messages.slice(0, at), ...page.messages],
    runs: [...known.runs.filter(({ runId }) => !fresh.has(runId)), ...page.runs],
    nextCursor: known.nextCursor,
  }) as AgentConversation
}

/**
 * Says whether a page tells of a time before what is known: an answer that was overtaken, or one of a part of the server
 * that lags behind. A run's last sequence only rises; a clock may be wrong, so that it decides alone where the newest run
 * that is known is missing.
 */
function isOlder(page: AgentConversation, known: AgentConversation): boolean {
  const lastSeqs = new Map(page.runs.map(({ runId, lastSeq }) => [runId, lastSeq]))
  if (known.runs.some(({ runId, lastSeq }) => (lastSeqs.get(runId) ?? lastSeq) < lastSeq)) return true
  const newest = known.messages.at(-1)
  return newest !== undefined && !lastSeqs.has(newest.runId) && page.updatedAt < known.updatedAt
}

/** Writes a newer page into the cached conversation, as few patches as there are changes; an older one changes nothing. */
export function writeConversation(draft: AgentConversation, page: AgentConversation): void {
  const known = original(draft as object) as AgentConversation
  if (isOlder(page, known)) return
  const merged = mergeConversation(known, page)
  const target = draft as Writable<AgentConversation>
  for (const name of ['title', 'createdAt', 'updatedAt', 'nextCursor'] as const) {
    if (merged[name] !== known[name]) Object.assign(target, { [name]: merged[name] })
  }
  writeList(target.messages as unknown[], merged.messages, known.messages)
  writeList(target.runs as unknown[], merged.runs, known.runs)
}

function writeList(target: unknown[], merged: readonly unknown[], known: readonly unknown[]): void {
  merged.forEach((value, index) => {
    if (value !== known[index]) target[index] = value
  })
  if (merged.length < known.length) target.length = merged.length
}
