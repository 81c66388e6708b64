import { getAgentEntityKey } from '../../protocol/getAgentEntityKey.ts'
import { recordOfKind, type AgentEntityKind, type AgentState } from '../../state/agentState.ts'
import type { AgentEntityBase } from '../../state/entities/agentEntityBase.ts'
import { getOwn } from '../../state/ownRecord.ts'
import { userMessageId } from '../openAI/userMessageId.ts'
import type { ItemContext } from './itemContext.ts'
import { readRecord } from './responseFields.ts'
import type { ResponseState } from './responseState.ts'

/** Kinds of entities that a response's items begin. */
export type ClaimedKind = Exclude<AgentEntityKind, 'approval' | 'artifact'>

/**
 * Makes the claims of a response's ids. What the run's earlier responses have begun is told by the state, where each
 * entity of a later response notes which one began it: what is made again after a resume gets the same id again.
 */
export function createIdClaims(options: {
  runId: string
  getState: () => ResponseState
  getAgentState?: (() => AgentState) | undefined
}): Pick<ItemContext, 'claim' | 'noteOf'> {
  const { runId, getState, getAgentState } = options
  // Of the state that was asked last, as a list of thousands is not to be searched for each of its entries.
  let known: { readonly state: ResponseState; readonly calls: Set<string>; readonly counts: Map<string, number> } | undefined

  function getKnown() {
    const state = getState()
    if (known?.state !== state) known = { state, calls: new Set(state.calls), counts: new Map() }
    return known
  }

  function isEarlier({ meta }: AgentEntityBase): boolean {
    return readRecord(meta?.openai).from !== getState().base
  }

  function hasEarlierReasoning(state: AgentState, id: string): boolean {
    return state.order.some((entry) => {
      if (entry.kind !== 'reasoning' || entry.runId !== runId) return false
      if (entry.id !== id && !entry.id.startsWith(`${id}:`)) return false
      return isEarlier(state.reasoning[getAgentEntityKey(runId, entry.id)]!)
    })
  }

  function isTaken(kind: ClaimedKind, id: string): boolean {
    if (kind === 'message' && id === userMessageId) return true
    if (kind === 'tool' && getKnown().calls.has(id)) return true
    const state = getState().isContinuation ? getAgentState?.() : undefined
    if (!state) return false
    if (kind === 'reasoning') return hasEarlierReasoning(state, id)
    const record: Readonly<Record<string, AgentEntityBase>> = state[recordOfKind[kind]]
    const known = getOwn(record, getAgentEntityKey(runId, id))
    return known !== undefined && isEarlier(known)
  }

  return {
    claim(kind, wish) {
      const { state, calls, counts } = getKnown()
      const place = `${kind}:${wish}`
      // What is taken stays so: the search goes on where it ended.
      let count = counts.get(place) ?? 1
      const nth = () => (count === 1 ? wish : `${wish}#${count}`)
      while (isTaken(kind, nth())) count += 1
      counts.set(place, count)
      if (kind === 'tool') {
        calls.add(nth())
        ;(state.calls ??= []).push(nth())
      }
      return nth()
    },
    noteOf(openai) {
      const { isContinuation, base } = getState()
      if (!isContinuation && openai === undefined) return {}
      return { meta: { openai: { ...openai, ...(isContinuation === true && { from: base }) } } }
    },
  }
}
