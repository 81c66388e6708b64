import { assertNever } from '../../src/assertNever.ts'
import { parseAgentCheckpoint } from '../../src/checkpoint/parseAgentCheckpoint.ts'
import type { AgentCommand } from '../../src/protocol/agentCommand.ts'
import type { AgentEvent } from '../../src/protocol/agentEvent.ts'
import { getAgentCommandKey } from '../../src/protocol/getAgentCommandKey.ts'
import { getOwn } from '../../src/state/ownRecord.ts'
import { ownEvent } from '../batch/ownEvent.ts'
import { createCheckpointBuilder } from '../checkpoint/createCheckpointBuilder.ts'
import type { AgentSessionCheckpoint } from '../connection/agentSessionCheckpoint.ts'
import { isWireWanted } from '../connection/isWireWanted.ts'
import type { Runner } from '../runtime/createRunner.ts'
import type { StoreContext } from '../runtime/storeContext.ts'
import { describeRun, toTabStatus, type TabRunSources } from './describeChange.ts'
import { putSnapshot } from './putSnapshot.ts'
import type { TabHost } from './tabHost.ts'
import type { TabRun, TabSnapshot } from './tabMessage.ts'

type HostCalls = 'onOwned' | 'onCeded' | 'onWaiting' | 'onFollowing' | 'onCommand' | 'onRemoved'

/** What keeps a session in its storage, as far as its tabs matter. */
export interface SessionKeeper extends Pick<TabHost, HostCalls> {
  /** Whether the session is there, as it is not while it is being read. */
  isReady(): boolean
  say(said: AgentSessionCheckpoint): void
  noteStart(runId: string, startedAt: number): void
}

/** Lets a session of a store follow another tab's, and be followed. */
export function createTabHost(options: {
  context: Omit<StoreContext, 'checkpoints'>
  sessionId: string
  getRunner: () => Runner
  sources: TabRunSources
  keeper: SessionKeeper
  /** Commands whose tab is gone. */
  orphans: () => readonly AgentCommand[]
}): TabHost {
  const { context, sessionId, getRunner, sources, keeper, orphans } = options
  const { actions, batcher, environment, present } = context
  const build = createCheckpointBuilder({ isShown: true })

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
    batcher.flush()
    const { runId, providerId, updatedAt: at } = connection
    keeper.noteStart(runId, startedAt)
    getRunner().learn({ runId, input })
    if (isNew) present.apply(actions.runRequested({ sessionId, runId, providerId, at }))
    // The cursor comes with the events before it, and this tab may have more of them than the owner.
    const cursor = getOwn(present.get().connection.runs, runId)?.cursor ?? connection.cursor
    present.apply(actions.runRestored({ connection: { ...connection, cursor }, isLatest }))
  }

  function takeSnapshot(): TabSnapshot | undefined {
    if (!keeper.isReady()) return undefined
    batcher.flush()
    const slice = present.get()
    const runIds = Object.keys(slice.connection.runs).filter(
      (runId) => slice.connection.runs[runId]!.sessionId === sessionId,
    )
    const inputOf = () => undefined
    const checkpoint = build(slice, { sessionId, ...sources, inputOf, savedAt: environment.now(), others: orphans() })
    // What this tab's own commands come to is told here.
    const own = new Set(Object.keys(getOwn(slice.commandStates, sessionId)?.commandStates ?? {}))
    const pendingCommands = checkpoint.pendingCommands.filter((command) => !own.has(getAgentCommandKey(command)))
    const runs = runIds.flatMap((runId) => describeRun(slice, runId, sources) ?? [])
    const status = toTabStatus(getOwn(slice.connection.checkpoints ?? {}, sessionId) ?? {})
    return { checkpoint: { ...checkpoint, pendingCommands }, runs, status }
  }

  return {
    onOwned: keeper.onOwned,
    onCeded: keeper.onCeded,
    onWaiting: keeper.onWaiting,
    onFollowing: keeper.onFollowing,
    onCommand: keeper.onCommand,
    onRemoved: keeper.onRemoved,
    takeSnapshot,
    canCede: () => getRunner().canSuspend(sessionId),
    isWaiting: () =>
      Object.values(present.get().connection.runs).some(
        (connection) => connection.sessionId === sessionId && isWireWanted(connection.state),
      ),
    putSnapshot({ checkpoint: value, runs }) {
      const { checkpoint } = parseAgentCheckpoint(value, { sessionId })
      if (!checkpoint) return false
      for (const { connection, startedAt } of runs) keeper.noteStart(connection.runId, startedAt)
      for (const [runId, { startedAt }] of Object.entries(checkpoint.connectionByRun ?? {})) {
        if (startedAt !== undefined) keeper.noteStart(runId, startedAt)
      }
      putSnapshot({ context, runner: getRunner(), checkpoint, runs })
      return true
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
