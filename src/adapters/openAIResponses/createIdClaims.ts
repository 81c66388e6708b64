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
    if (kind === 'tool' && getState().calls?.includes(id)) return true
    const state = getState().isContinuation ? getAgentState?.() : undefined
    if (!state) return false
    if (kind === 'reasoning') return hasEarlierReasoning(state, id)
    const record: Readonly<Record<string, AgentEntityBase>> = state[recordOfKind[kind]]
    const known = getOwn(record, getAgentEntityKey(runId, id))
    return known !== undefined && isEarlier(known)
  }

  return {
    claim(kind, wish) {
      let id = wish
      for (let count = 2; isTaken(kind, id); count += 1) id = `${wish}#${count}`
      if (kind === 'tool') (getState().calls ??= []).push(id)
      return id
    },
    noteOf(openai) {
      const { isContinuation, base } = getState()
      if (!isContinuation && openai === undefined) return {}
      return { meta: { openai: { ...openai, ...(isContinuation === true && { from: base }) } } }
    },
  }
}
