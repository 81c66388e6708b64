import { assertNever } from '../../src/assertNever.ts'
import type { AnyAgentProvider } from '../../src/provider/agentProvider.ts'
import { getReconnectDelay } from '../../src/provider/getReconnectDelay.ts'
import { getOwn } from '../../src/state/ownRecord.ts'
import type { AgentRunConnection } from '../connection/agentRunConnection.ts'
import { connectionTable, type ConnectionCause } from '../connection/connectionTable.ts'
import { createLossJudge, type LossJudge } from '../connection/createLossJudge.ts'
import { getRunOutlook } from '../connection/getRunOutlook.ts'
import { isRefusedCursor } from '../connection/isRefusedCursor.ts'
import { waitForRetry } from '../connection/waitForRetry.ts'
import type { AdoptedWire } from './adoptedWire.ts'
import { describeError } from '../../src/provider/describeError.ts'
import { findRun } from './findRun.ts'
import { giveUpTaken } from './giveUpTaken.ts'
import type { LiveRun } from './liveRun.ts'
import { openWire, type WireLoss } from './openWire.ts'
import type { StoreContext } from './storeContext.ts'

/** Keeps a run's wire up. */
export interface Connector {
  /**
   * Reads a run's main wire, and takes it up again where it is lost, until nothing more comes of it: the run has
   * ended, waits for a person, was let go of, or is lost. What stands then is in the connection.
   *
   * @throws what the provider's breach of the protocol, or the app, threw.
   */
  connect(live: LiveRun, adopted?: AdoptedWire): Promise<void>
  /** Whether there is a request that takes the run up again: a resume, or the first one where nothing has come yet. */
  canResume(live: LiveRun): boolean
  /** Moves a run's connection as the table says; where the table says nothing, nothing happens. */
  move(runId: string, cause: ConnectionCause, change?: ConnectionChange): void
}

type ConnectionChange = Omit<Partial<AgentRunConnection>, 'runId' | 'state'>

/** What is only true while a wire is being taken up again, or is lost. */
const settled: ConnectionChange = {
  error: undefined,
  attempt: undefined,
  maxAttempts: undefined,
  isOffline: undefined,
  isQueued: undefined,
  resumedAt: undefined,
  canResume: undefined,
}

export function createConnector(context: StoreContext): Connector {
  const { actions, batcher, environment, liveRuns, present } = context

  const connectionOf = (runId: string) => getOwn(present.get().connection.runs, runId)
  const outlookOf = ({ runId }: LiveRun) => getRunOutlook(present.get().agentState, runId)
  const lastSequenceOf = ({ runId }: LiveRun) =>
    findRun(present.get().agentState, runId)?.state.lastSequenceByRun[runId] ?? -1

  function move(runId: string, cause: ConnectionCause, change: ConnectionChange = {}) {
    const from = connectionOf(runId)?.state
    const state = from && connectionTable[from][cause]
    if (state) present.apply(actions.connectionChanged({ runId, at: environment.now(), ...change, state }))
  }

  /** The request that goes next: a resume after a cursor, or the first one. */
  function getRequest(live: LiveRun, refused?: string): { cursor?: string } | undefined {
    const { provider, runId, hasInput } = live
    const cursor = connectionOf(runId)?.cursor
    if (!hasInput) return undefined
    if (cursor !== undefined && cursor !== refused && isResumable(provider)) return { cursor }
    // Safe with dense sequences alone: a server that knows the run attaches, and what comes again is absorbed.
    return provider.capabilities.sequence === 'dense' && lastSequenceOf(live) < 0 ? {} : undefined
  }

  const canResume = (live: LiveRun) => getRequest(live) !== undefined

  /** Waits until one more of the browser's streams may be open; gives what gives its place back. */
  async function takeSlot({ runId }: LiveRun, signal: AbortSignal): Promise<() => void> {
    const onWait = () => present.apply(actions.connectionChanged({ runId, at: environment.now(), isQueued: true }))
    return (await context.tabs.slots!.take({ signal, onWait })) ?? (() => undefined)
  }

  async function read(live: LiveRun, wire: { signal: AbortSignal; isOwn: () => boolean }, adopted?: AdoptedWire) {
    const judge = createLossJudge(live.reconnect)
    let refused: string | undefined
    let isWoken = false
    let next = adopted
    for (;;) {
      const provider = next?.provider ?? live.provider
      // A wire that is open already has its connection.
      const giveBack = next || !context.tabs.slots ? undefined : await takeSlot(live, wire.signal)
      if (!wire.isOwn()) return giveBack?.()
      const { cursor } = (next ? undefined : getRequest(live, refused)) ?? {}
      next = undefined
      const before = lastSequenceOf(live)
      const loss = await openWire(context, live, {
        provider,
        cursor,
        before,
        signal: wire.signal,
        onOpened: () =>
          move(live.runId, 'opened', { ...settled, ...(cursor !== undefined && { resumedAt: before }) }),
        judge: (error, isRetryable) =>
          judge.judge({
            isRetryable,
            isRefusal: cursor !== undefined && isRefusedCursor(error),
            canTryAgain: getRequest(live, refused) !== undefined,
            canResend: getRequest(live, cursor) !== undefined,
            hasProgressed: lastSequenceOf(live) > before,
            isOnline: environment.isOnline(),
          }),
      }).finally(giveBack)
      batcher.flush()
      if (!wire.isOwn()) return
      if (!loss && !isAnswered(live)) return move(live.runId, 'closed', settled)
      if (!loss) {
        move(live.runId, 'lost', settled)
        continue
      }
      if (loss.verdict === 'resend') {
        refused = cursor
        move(live.runId, 'lost', { error: loss.described })
      } else if (loss.verdict === 'retry') {
        isWoken = (await waitForAttempt(live, { loss, judge, isWoken, signal: wire.signal })).isWoken
        if (!wire.isOwn()) return
        if (outlookOf(live) === 'ended') return move(live.runId, 'closed', settled)
      } else return giveUp(live, loss)
    }
  }

  /**
   * Whether a dense run that parks was answered meanwhile, as the server may have closed its stream at that moment:
   * then there is more to follow. Anything that came since has brought the answer with it.
   */
  function isAnswered(live: LiveRun): boolean {
    const { answeredAt, provider, sequencer } = live
    live.answeredAt = undefined
    const isUnheard = answeredAt !== undefined && answeredAt === sequencer.getLast()
    return isUnheard && provider.capabilities.sequence === 'dense' && outlookOf(live) === 'parked' && canResume(live)
  }

  async function waitForAttempt(
    live: LiveRun,
    { loss, judge, isWoken, signal }: { loss: WireLoss; judge: LossJudge; isWoken: boolean; signal: AbortSignal },
  ): Promise<{ isWoken: boolean }> {
    const { maxAttempts, ...delays } = live.reconnect!
    const { described: error, retryAfter } = loss
    const attempt = () => Math.max(1, judge.getSpent())
    const isOffline = !environment.isOnline()
    const shown = () => ({
      ...settled,
      error,
      attempt: attempt(),
      // State is JSON, which has no such number.
      ...(Number.isFinite(maxAttempts) && { maxAttempts }),
    })
    move(live.runId, 'lost', isOffline ? { ...settled, error, isOffline } : shown())
    const delay = getReconnectDelay({ attempt: attempt(), ...delays, retryAfter, random: environment.random })
    // What comes back again and again is let wait a little, so that it does not ask the server each time.
    const least = Math.max(retryAfter, isWoken ? delays.initialDelay : 0)
    const wait = waitForRetry({ environment, delay, least, signal })
    live.hurry = () => {
      judge.restart()
      wait.hurry()
    }
    // A command's answer may end the run meanwhile.
    void live.ended.promise.then(wait.hurry)
    const over = await wait.over
    live.hurry = undefined
    if (over.isWoken && !isOffline) judge.giveBack()
    if (isOffline && !signal.aborted) move(live.runId, 'lost', shown())
    return over
  }

  function giveUp(live: LiveRun, { verdict, described: error }: WireLoss) {
    const lost = { ...settled, error }
    switch (verdict) {
      case 'refused':
        return move(live.runId, 'cursor_refused', { ...lost, canResume: false })
      case 'spent':
        return move(live.runId, 'budget_spent', isOver(live) ? lost : { ...lost, canResume: canResume(live) })
      case 'final':
        return isOver(live)
          ? move(live.runId, 'lost_with_run', lost)
          : move(live.runId, 'lost_for_good', { ...lost, canResume: canResume(live) })
      case 'retry':
      case 'resend':
        return
      default:
        return assertNever(verdict)
    }
  }

  const isOver = (live: LiveRun) => outlookOf(live) === 'ended'

  /** Whether a wire was given up here; one that another tab goes on with is that tab's. */
  function isLost({ runId, sessionId }: LiveRun): boolean {
    const { state, detached } = connectionOf(runId) ?? {}
    return !context.tabs.isFollowing(sessionId) && (detached === true || state !== 'idle')
  }

  return {
    canResume,
    move,
    async connect(live, adopted) {
      // One wire a run: the one before it is closed, and whatever it still does is no longer the run's.
      live.controller.abort()
      live.controller = adopted?.controller ?? new AbortController()
      const number = (live.wireNumber += 1)
      const { signal } = live.controller
      const isOwn = () => live.wireNumber === number && !signal.aborted
      live.isStreaming = true
      try {
        await read(live, { signal, isOwn }, adopted)
      } catch (error) {
        batcher.flush()
        const { code, message } = describeError(error)
        if (isOwn()) move(live.runId, 'broken', { ...settled, error: { code, message } })
        throw error
      } finally {
        if (live.wireNumber === number) {
          live.isStreaming = false
          if (isOver(live)) liveRuns.delete(live.runId)
          else if (isLost(live)) giveUpTaken(context, live)
        }
      }
    },
  }
}

function isResumable({ capabilities, transport }: AnyAgentProvider): boolean {
  return capabilities.resumable === true && transport.resume !== undefined
}
