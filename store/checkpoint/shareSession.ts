import { flushApart } from '../batch/flushApart.ts'
import type { AgentSessionCheckpoint } from '../connection/agentSessionCheckpoint.ts'
import type { Runner } from '../runtime/runner.ts'
import { createDeferred } from '../runtime/deferred.ts'
import { giveUpTaken } from '../runtime/giveUpTaken.ts'
import type { StoreContext } from '../runtime/storeContext.ts'
import { createTabHost, type TabSelf } from '../tabs/createTabHost.ts'
import type { TabRunSources } from '../tabs/toTabRun.ts'
import type { OpenSession } from './openSession.ts'

/**
 * Shares a session with the browser's other tabs: it is restored from one of them or, where this tab owns it, from
 * storage. Gives what rejects with why it could not be restored, or nothing where the session cannot be shared.
 */
export function shareSession(options: {
  context: Omit<StoreContext, 'checkpoints'>
  session: OpenSession
  getRunner: () => Runner
  sources: TabRunSources
  say: (said: AgentSessionCheckpoint) => void
  /** What was said last. */
  said: () => AgentSessionCheckpoint
  /** Reads the storage from the start, as a page does that has nothing. */
  restore: () => Promise<void>
  /** Reads the storage beside what memory has. */
  read: () => Promise<void>
  takeOver: () => void
  /** Removes the session, which another tab did as well. */
  remove: (how: { at: number | undefined }) => Promise<void>
  clear: (how: { at: number | undefined; isLate?: boolean }) => void
}): Promise<void> | undefined {
  const { context, session, getRunner, sources, say, said, restore, read, takeOver, remove, clear } = options
  const { sessionId, writer } = session
  const opened = createDeferred<void>()
  opened.promise.catch(() => undefined)

  const createHost = (self: TabSelf) => createTabHost({
    context,
    ...self,
    sessionId,
    getRunner,
    sources,
    keeper: {
      say,
      isReady: () => session.phase !== 'restoring',
      noteStart: session.startTimes.set,
      removedAt: () => session.removedAt,
      noteRemoved(at) {
        // What is here is of the time before it.
        if (at > Math.max(session.openedAt, session.removedAt ?? 0)) clear({ at, isLate: true })
      },
      onRemoved: (isOwner, at) => void (isOwner ? remove({ at }).catch(() => undefined) : clear({ at })),
      onWaiting: () => say(said()),
      onClosed: opened.reject,
      onFollowing(status) {
        session.phase = 'following'
        say(status)
        session.released.resolve()
        opened.resolve()
      },
      onOwned(isWhole) {
        // What another tab's provider gathered is not here, nor what this one's did before another had the session.
        giveUpTaken(context, { sessionId })
        if (!isWhole) return void restore().then(opened.resolve, opened.reject)
        // What another tab stored must be known before anything is written; memory has the session meanwhile.
        session.phase = 'blocked'
        say({})
        takeOver()
        session.tab!.answer()
        void read().catch(() => undefined)
      },
      async onCeded({ maySave }) {
        flushApart(context.batcher)
        getRunner().suspend(sessionId)
        session.phase = maySave && session.phase === 'ready' ? 'closing' : 'following'
        session.loading = undefined
        await (maySave ? writer.finish() : writer.stop())
        if (session.phase === 'closing') session.phase = 'following'
      },
    },
  })
  session.tab = context.tabs.open(sessionId, createHost)
  if (!session.tab) return undefined
  session.released = createDeferred()
  say({ restore: 'restoring' })
  session.tab.join()
  return opened.promise
}
