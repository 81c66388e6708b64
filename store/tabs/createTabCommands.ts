import { getAgentCommandActionKey } from '../../src/protocol/getAgentCommandActionKey.ts'
import { getOwn } from '../../src/state/ownRecord.ts'
import { apart } from '../batch/apart.ts'
import type { AgentCommandState } from '../commandStates/agentCommandState.ts'
import { noCommands } from '../commandStates/createCommandStatesReducer.ts'
import { judgeFailure } from '../commandStates/judgeFailure.ts'
import { pageLeft } from '../commandStates/pageLeft.ts'
import { findRun } from '../runtime/findRun.ts'
import type { StoreContext } from '../runtime/storeContext.ts'
import type { TabPresence } from './createTabPresence.ts'

/** The commands of other tabs, as one tab shows them: under way until their tab says, or cannot say, what came of them. */
export interface TabCommands {
  /** Takes note of what a tab says of a command of its own. */
  report(state: AgentCommandState, from: string): void
  /** Settles what a tab that has gone will say nothing of any more. */
  settle(from: string): void
  /** Waits for the tabs whose commands are under way, after a snapshot. */
  follow(): void
}

/** A tab that says nothing of its command for so long, in milliseconds, hangs: the others do not wait for it. */
const patience = 60_000
/** How many commands of others may be under way: persons do not have more, whatever is on the channel. */
const maxUnderWay = 100

export function createTabCommands(options: {
  context: Omit<StoreContext, 'checkpoints'>
  sessionId: string
  presence: TabPresence
}): TabCommands {
  const { context, sessionId, presence } = options
  const { actions, environment, present } = context
  /** What ends the wait for a command's tab, and for a command. */
  const tabs = new Map<string, () => void>()
  const waits = new Map<string, () => void>()

  const commandsOf = () => getOwn(present.get().commandStates, sessionId) ?? noCommands
  const isElsewhere = ({ status, tabId }: AgentCommandState) => status === 'submitting' && tabId !== undefined
  const listUnderWay = () => Object.values(commandsOf().commandStates).filter(isElsewhere)

  function put(state: AgentCommandState, isLatest = false) {
    apart(() => present.apply(actions.commandReported({ state, isLatest })))
    follow()
  }

  /** It is not known what became of a command, unless the facts say so. */
  function giveUp(state: AgentCommandState) {
    const facts = findRun(present.get().agentState, state.command.runId)?.state
    const error = judgeFailure(facts, { command: state.command, error: pageLeft })
    const updatedAt = environment.now()
    put(error ? { ...state, status: 'failed', error, updatedAt } : { ...state, status: 'succeeded', updatedAt })
  }

  function settle(from: string) {
    for (const state of listUnderWay()) if (state.tabId === from) giveUp(state)
  }

  function follow() {
    const underWay = listUnderWay()
    const keys = new Set(underWay.map(({ key }) => key))
    const froms = new Set(underWay.map(({ tabId }) => tabId!))
    endAll(waits, keys)
    endAll(tabs, froms)
    for (const from of froms) if (!tabs.has(from)) tabs.set(from, presence.watch(from, () => settle(from)))
    for (const key of keys) {
      if (waits.has(key)) continue
      const expire = () => {
        const state = getOwn(commandsOf().commandStates, key)
        if (state && isElsewhere(state)) giveUp(state)
      }
      waits.set(key, environment.setTimer(expire, patience))
    }
  }

  return {
    settle,
    follow,
    report(state, from) {
      const { commandStates, latestCommandByAction } = commandsOf()
      const known = getOwn(commandStates, state.key)
      // The same one is under way here as well: its answer is heard here.
      if (known?.status === 'submitting' && known.tabId === undefined) return
      if (!known && listUnderWay().length >= maxUnderWay) return
      const latest = getOwn(latestCommandByAction, getAgentCommandActionKey(state.command))
      const shown = latest === undefined ? undefined : getOwn(commandStates, latest)
      // Of two at once each tab shows what became of its own.
      const isOwnUnderWay = shown?.status === 'submitting' && shown.tabId === undefined
      put({ ...state, tabId: from }, !isOwnUnderWay)
    },
  }
}

/** Ends what is no longer wanted. */
function endAll(waits: Map<string, () => void>, wanted: ReadonlySet<string>): void {
  for (const [key, stop] of waits) {
    if (wanted.has(key)) continue
    stop()
    waits.delete(key)
  }
}
