import { getAgentEntityKey } from '../../protocol/getAgentEntityKey.ts'
import { recordOfKind } from '../../state/agentState.ts'
import type { AgentEntityBase } from '../../state/entities/agentEntityBase.ts'
import { isTerminal } from '../../state/isTerminal.ts'
import { getOwn } from '../../state/ownRecord.ts'
import { readAgUiMeta } from './agUiMeta.ts'
import type { AgUiScope } from './agUiScope.ts'
import type { OpenLane } from './createChunkLanes.ts'

const kinds = { message: 'text', reasoning: 'reasoning', tool: 'tool' } as const

/**
 * Finds what chunks had begun and not ended when a wire was lost. Of the agent and of each subagent the latest text or
 * call is what they were in the middle of, and the chunks that follow need not name it; what is `over` came before it.
 */
export function findOpenLanes({ getAgentState, runId }: AgUiScope): { current: OpenLane[]; over: OpenLane[] } {
  const state = getAgentState()
  const latest = new Map<string, OpenLane | undefined>()
  const open: OpenLane[] = []
  for (const { kind, id, runId: home } of state?.order ?? []) {
    if (home !== runId || !(kind === 'message' || kind === 'reasoning' || kind === 'tool')) continue
    const record: Readonly<Record<string, AgentEntityBase>> = state![recordOfKind[kind]]
    const entity = getOwn(record, getAgentEntityKey(runId, id))
    if (!entity) continue
    const { isChunked = false, messageId = id, subagentRunId: owner = '' } = readAgUiMeta(entity)
    const lane = { owner, kind: kinds[kind], id: kind === 'tool' ? id : messageId }
    const isOpen = isChunked && !isTerminal(entity.status)
    latest.set(owner, isOpen ? lane : undefined)
    if (isOpen) open.push(lane)
  }
  const current = open.filter((lane) => latest.get(lane.owner) === lane)
  return { current, over: open.filter((lane) => !current.includes(lane)) }
}
