import type { AnyAgentProvider } from '../../src/provider/agentProvider.ts'
import { getOwn } from '../../src/state/ownRecord.ts'
import { getRunOutlook } from '../connection/getRunOutlook.ts'
import { assertRunId } from './assertRunId.ts'
import { assertSessionId } from './assertSessionId.ts'
import type { Runner, RunReading } from './runner.ts'
import type { StoreContext } from './storeContext.ts'

/** A run to follow. */
export interface FollowRunOptions {
  runId: string
  sessionId: string
  /** The provider whose server holds the run, or the id of one that is known. */
  provider: AnyAgentProvider | string
  /** Whether the run is over already, so that its end is no news. */
  isOver?: boolean | undefined
}

/** Follows runs for whoever shows them (design, section 9): one wire a run, however many follow it. */
export interface Follower {
  /**
   * Follows a run until the function is called that this gives. What this store drives is not read again, and goes on
   * without followers.
   *
   * @throws AgentRuntimeError (`time_travel`, `unknown_provider`, `invalid_provider`, `invalid_session`,
   * `invalid_option`, `not_followable`)
   */
  attach(options: FollowRunOptions): () => void
  /** Reads a followed run again whose wire is down; does nothing where it is up, or nobody follows the run. */
  retry(runId: string): void
  /** Whether somebody follows a run. */
  has(runId: string): boolean
  /** Whether a run was over before it was followed: what it brings is no news. */
  isReplay(runId: string): boolean
}

interface Followed {
  readonly options: FollowRunOptions
  count: number
  stopTimer: (() => void) | undefined
}

/** What waits for a person is looked at again, as is what is lost; in milliseconds. */
const parkedDelay = 5000
const lostDelay = 15_000
/** What nobody follows is let go of a little later: a page that mounts anew finds it still there. In milliseconds. */
const releaseDelay = 1000

export function createFollower(
  context: StoreContext,
  options: { runner: Runner; release: (run: { runId: string; sessionId: string }) => void },
): Follower {
  const { batcher, checkpoints, environment, present } = context
  const { runner, release } = options
  const followed = new Map<string, Followed>()

  const connectionOf = (runId: string) => getOwn(present.get().connection.runs, runId)
  const outlookOf = (runId: string) => getRunOutlook(present.get().agentState, runId)

  function open(entry: Followed): void {
    const { runId, sessionId } = entry.options
    batcher.flush()
    if (outlookOf(runId) === 'ended' || runner.isReading(runId)) return
    const restoring = checkpoints.hold(sessionId)
    if (restoring) {
      // What is being read from storage may hold this very run, with a wire of its own.
      void restoring.then(() => retry(runId))
      return
    }
    const connection = connectionOf(runId)
    if (connection && !connection.isFollowed) return
    read(entry, connection ? runner.resume({ runId }) : runner.watch(entry.options))
  }

  function read(entry: Followed, { finished }: RunReading): void {
    // What became of it stands in the connection.
    void finished.catch(() => undefined).then(() => scheduleRetry(entry))
  }

  function scheduleRetry(entry: Followed): void {
    const { runId } = entry.options
    if (entry.count === 0 || entry.stopTimer || runner.isReading(runId)) return
    const delay = getRetryDelay(runId)
    if (delay === undefined) return
    const again = () => {
      stop(entry)
      retry(runId)
    }
    const stopTimer = environment.setTimer(again, delay)
    const stopWaking = environment.onWake(again)
    entry.stopTimer = () => {
      stopTimer()
      stopWaking()
    }
  }

  function getRetryDelay(runId: string): number | undefined {
    const connection = connectionOf(runId)
    const outlook = outlookOf(runId)
    if (!connection?.isFollowed || connection.detached || outlook === 'ended') return undefined
    if (connection.state === 'failed') return lostDelay
    return connection.state === 'idle' && outlook === 'parked' ? parkedDelay : undefined
  }

  function stop(entry: Followed): void {
    entry.stopTimer?.()
    entry.stopTimer = undefined
  }

  function retry(runId: string): void {
    const entry = followed.get(runId)
    if (!entry || entry.count === 0 || runner.isReading(runId)) return
    stop(entry)
    try {
      open(entry)
    } catch {
      // A past is shown, or the run is gone from here: whoever follows it may ask again.
    }
  }

  function leave(entry: Followed): void {
    const { runId } = entry.options
    stop(entry)
    if (connectionOf(runId)?.isFollowed) runner.abort({ runId })
    entry.stopTimer = environment.setTimer(() => {
      followed.delete(runId)
      if (connectionOf(runId)?.isFollowed) release(entry.options)
    }, releaseDelay)
  }

  return {
    retry,
    has: (runId) => (followed.get(runId)?.count ?? 0) > 0,
    isReplay: (runId) => followed.get(runId)?.options.isOver === true,
    attach(options) {
      const { runId, sessionId } = options
      assertSessionId(sessionId)
      assertRunId(runId)
      const entry = followed.get(runId) ?? { options, count: 0, stopTimer: undefined }
      if (entry.count === 0) {
        // First, as it may throw: what was about to be let go of still is, then.
        open(entry)
        stop(entry)
        followed.set(runId, entry)
      } else if (!connectionOf(runId)) {
        // Its session was closed meanwhile, and whoever followed it then still does.
        retry(runId)
      }
      entry.count += 1
      let isAttached = true
      return () => {
        if (!isAttached) return
        isAttached = false
        entry.count -= 1
        if (entry.count === 0) leave(entry)
      }
    },
  }
}
