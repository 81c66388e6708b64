import { assertNever } from '../../src/assertNever.ts'
import { parseAgentCheckpoint } from '../../src/checkpoint/parseAgentCheckpoint.ts'
import type { AgentEvent } from '../../src/protocol/agentEvent.ts'
import { getOwn } from '../../src/state/ownRecord.ts'
import { apart } from '../batch/apart.ts'
import { flushApart } from '../batch/flushApart.ts'
import { ownEvent } from '../batch/ownEvent.ts'
import { createCheckpointBuilder } from '../checkpoint/createCheckpointBuilder.ts'
import { noCommands } from '../commandStates/createCommandStatesReducer.ts'
import type { AgentSessionCheckpoint } from '../connection/agentSessionCheckpoint.ts'
import { isWireWanted } from '../connection/isWireWanted.ts'
import type { Runner } from '../runtime/runner.ts'
import type { StoreContext } from '../runtime/storeContext.ts'
import { createTabCommands } from './createTabCommands.ts'
import type { TabPresence } from './createTabPresence.ts'
import { toTabRun, type TabRunSources } from './toTabRun.ts'
import { toTabStatus } from './toTabStatus.ts'
import { fromTabCommands } from './fromTabCommands.ts'
import { toTabCommands } from './toTabCommands.ts'
import { putSnapshot } from './putSnapshot.ts'
import type { TabHost } from './tabHost.ts'
import type { TabRun, TabSnapshot } from './tabMessage.ts'

type HostCalls = 'onOwned' | 'onCeded' | 'onWaiting' | 'onClosed' | 'onFollowing' | 'onRemoved'

/** What keeps a session in its storage, as far as its tabs matter. */
export interface SessionKeeper extends Pick<TabHost, HostCalls> {
  /** Whether the session is there, as it is not while it is being read. */
  isReady(): boolean
  say(said: AgentSessionCheckpoint): void
  noteStart(runId: string, startedAt: number): void
  /** When the session was removed last, as far as is known; in milliseconds. */
  removedAt(): number | undefined
  /** Takes note of a removal that this tab may have slept through. */
  noteRemoved(at: number): void
}

/** One tab among the browser's. */
export interface TabSelf {
  readonly tabId: string
  readonly presence: TabPresence
}

/** Lets a session of a store follow another tab's, and be followed. */
export function createTabHost(options: {
  context: Omit<StoreContext, 'checkpoints'>
  sessionId: string
  getRunner: () => Runner
  sources: TabRunSources
  keeper: SessionKeeper
} & TabSelf): TabHost {
  const { context, sessionId, tabId, presence, getRunner, sources, keeper } = options
  const { actions, batcher, environment, present } = context
  const build = createCheckpointBuilder({ isShown: true })
  const commands = createTabCommands({ context, sessionId, presence })

  function receive(event: AgentEvent) {
    const live = getRunner().liveRunOf(event.runId)
    // Of a run whose provider is not known here there is nothing but what is shown.
    if (live) live.sequencer.receive(event)
    else batcher.push(sessionId, ownEvent(event))
  }

  function receiveEvents(events: readonly AgentEvent[], cursors: Readonly<Record<string, string>> = {}) {
    for (const event of events) receive(event)
    for (const [runId, cursor] of Object.entries(cursors)) {
      const last = events.findLast((event) => event.runId === runId)?.sequence
      const live = getRunner().liveRunOf(runId)
      if (live) live.sequencer.moveCursor(cursor, last ?? live.sequencer.getLast())
      else batcher.moveCursor(sessionId, { runId, cursor })
    }
  }

  function receiveRun({ connection, isLatest, startedAt, isNew, input }: TabRun) {
    // A cursor must not be ahead of the events before it.
    flushApart(batcher)
    const { runId, providerId, updatedAt: at } = connection
    keeper.noteStart(runId, startedAt)
    getRunner().learn({ runId, input })
    if (isNew) apart(() => present.apply(actions.runRequested({ sessionId, runId, providerId, at })))
    // The cursor comes with the events before it, and this tab may have more of them than the owner.
    const cursor = getOwn(present.get().connection.runs, runId)?.cursor ?? connection.cursor
    apart(() => present.apply(actions.runRestored({ connection: { ...connection, cursor }, isLatest })))
  }

  function takeSnapshot(): TabSnapshot | undefined {
    if (!keeper.isReady()) return undefined
    flushApart(batcher)
    const slice = present.get()
    const runIds = Object.keys(slice.connection.runs).filter(
      (runId) => slice.connection.runs[runId]!.sessionId === sessionId,
    )
    const inputOf = () => undefined
    const { readTo } = getRunner()
    // What is told of commands is more than what is stored of them.
    const checkpoint = { ...build(slice, { sessionId, ...sources, inputOf, readTo, savedAt: environment.now() }), pendingCommands: [] }
    const told = toTabCommands(getOwn(slice.commandStates, sessionId) ?? noCommands)
    const runs = runIds.flatMap((runId) => toTabRun(slice, runId, sources) ?? [])
    const status = toTabStatus(getOwn(slice.connection.checkpoints ?? {}, sessionId) ?? {})
    const removedAt = keeper.removedAt()
    return { checkpoint, runs, commands: told, status, ...(removedAt !== undefined && { removedAt }) }
  }

  return {
    onOwned: keeper.onOwned,
    onCeded: keeper.onCeded,
    onWaiting: keeper.onWaiting,
    onClosed: keeper.onClosed,
    onFollowing: keeper.onFollowing,
    onCommand: commands.report,
    onBye: commands.settle,
    onRemoved: keeper.onRemoved,
    takeSnapshot,
    canCede: () => getRunner().canSuspend(sessionId),
    isWaiting: () =>
      Object.values(present.get().connection.runs).some(
        (connection) => connection.sessionId === sessionId && isWireWanted(connection.state),
      ),
    putSnapshot({ checkpoint: value, runs, commands: told, removedAt }, owner) {
      const { checkpoint } = parseAgentCheckpoint(value, { sessionId })
      if (!checkpoint) return undefined
      if (removedAt !== undefined) keeper.noteRemoved(removedAt)
      for (const { connection, startedAt } of runs) keeper.noteStart(connection.runId, startedAt)
      for (const [runId, { startedAt }] of Object.entries(checkpoint.connectionByRun ?? {})) {
        if (startedAt !== undefined) keeper.noteStart(runId, startedAt)
      }
      const theirs = fromTabCommands(told, { owner, tabId })
      const untold = putSnapshot({ context, runner: getRunner(), checkpoint, runs, commands: theirs })
      commands.follow()
      return untold
    },
    applyChange(change) {
      switch (change.kind) {
        case 'events':
          return receiveEvents(change.events, change.cursors)
        case 'run':
          return receiveRun(change.run)
        case 'checkpoint':
          return keeper.say(change.status)
        default:
          return assertNever(change)
      }
    },
    takeEvents(events) {
      const { sessions } = present.get().agentState
      // What is of no run of this session's starts none.
      const known = getOwn(sessions, sessionId)
      for (const event of events) if (known && Object.hasOwn(known.active.runs, event.runId)) receive(event)
    },
    follow: (runId) => getRunner().follow(runId),
    abort: (runId) => getRunner().abort(runId === undefined ? { sessionId } : { runId }),
  }
}
