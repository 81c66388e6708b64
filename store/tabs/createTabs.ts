import type { AgentEvent } from '../../src/protocol/agentEvent.ts'
import { joinKey } from '../../src/joinKey.ts'
import type { AgentEnvironment } from '../batch/agentEnvironment.ts'
import type { AgentTabLocks, AgentTabsOptions } from './agentTabs.ts'
import { createSessionTab, type SessionTab } from './createSessionTab.ts'
import { createStreamSlots, type StreamSlots } from './createStreamSlots.ts'
import { createTabPresence } from './createTabPresence.ts'
import type { TabSelf } from './createTabHost.ts'
import type { TabHost } from './tabHost.ts'
import { openTabChannel } from './openTabChannel.ts'
import { tabProtocolVersion, type TabSaid } from './tabMessage.ts'

/** The sessions that a store shares with other tabs. */
export interface Tabs {
  /** Shares a session, which the host then hears of; nothing where the browser cannot, or the app does not want to. */
  open(sessionId: string, createHost: (self: TabSelf) => TabHost): SessionTab | undefined
  /** Whether another tab owns the session. */
  isFollowing(sessionId: string): boolean
  /** What has to be waited for before this tab may do what the session's owner alone does; nothing where it is that. */
  own(sessionId: string): Promise<void> | undefined
  say(sessionId: string, message: Extract<TabSaid, { kind: 'answered' | 'abort' }>): void
  /** Hands an event that came by a wire of this tab's on to the owner, where that is another tab. */
  handOn(event: AgentEvent): void
  /** Tells other tabs of a removal, also of a session that is not open here; `isRepeat` of one that they told of. */
  tellRemoved(sessionId: string, how: { at: number; isRepeat: boolean }): void
  /** Knows nothing more of a session's part, which has been closed. */
  forget(sessionId: string): void
  /** Leaves the other tabs for good: they take over what this one owns, and what waits for them fails with this error. */
  close(error: Error): void
  /** What bounds the browser's streams; nothing where there is no bound. */
  readonly slots: StreamSlots | undefined
}

export function createTabs(options: {
  environment: AgentEnvironment
  reducerPath: string
  /** Whether the runtime's sessions are kept in a storage. */
  isKept: boolean
  tabs: false | AgentTabsOptions | undefined
}): Tabs {
  const { environment, reducerPath, isKept, tabs } = options
  const { locks, createChannel } = environment
  /** Names a lock or a channel of this version and this user. */
  const nameOf = (...parts: readonly string[]) =>
    joinKey(['redux-agent', String(tabProtocolVersion), (tabs || {}).name ?? reducerPath, ...parts])
  const channelOf = (sessionId: string) => nameOf('session', sessionId)
  const bySession = new Map<string, SessionTab>()
  const host = tabs !== false && locks && createChannel ? { locks, createChannel } : undefined
  let self: TabSelf | undefined

  function leave() {
    for (const tab of bySession.values()) tab.leave()
    self?.presence.leave()
  }

  function enter({ locks }: { locks: AgentTabLocks }): TabSelf {
    const tabId = environment.createId()
    const presence = createTabPresence({ locks, tabId, nameOf: (tab) => nameOf('tab', tab) })
    presence.enter()
    const join = () => {
      presence.enter()
      for (const tab of bySession.values()) {
        if (tab.hasLeft()) tab.join()
        else tab.check()
      }
    }
    environment.onFreeze({ freeze: leave, thaw: join })
    environment.onWake(join)
    return { tabId, presence }
  }

  const isFollowing = (sessionId: string) => bySession.get(sessionId)?.isOwner() === false

  return {
    isFollowing,
    close(error) {
      for (const tab of bySession.values()) tab.close(error)
      self?.presence.leave()
    },
    slots: host && isKept ? createStreamSlots({ locks: host.locks, nameOf: (slot) => nameOf('stream', slot) }) : undefined,
    open(sessionId, createHost) {
      if (!host) return undefined
      self ??= enter(host)
      const { tabId } = self
      const names = { channelName: channelOf(sessionId), lockName: nameOf('owner', sessionId) }
      const tab = createSessionTab({ ...host, ...names, sessionId, tabId, environment, host: createHost(self) })
      bySession.set(sessionId, tab)
      return tab
    },
    forget: (sessionId) => void bySession.delete(sessionId),
    own: (sessionId) => (isFollowing(sessionId) ? bySession.get(sessionId)!.own() : undefined),
    say: (sessionId, message) => bySession.get(sessionId)?.say(message),
    handOn(event) {
      if (isFollowing(event.sessionId)) bySession.get(event.sessionId)!.say({ kind: 'handed', events: [event] })
    },
    tellRemoved(sessionId, { at, isRepeat }) {
      const known = bySession.get(sessionId)
      if (known || !host) return known?.say({ kind: 'removed', at, ...(isRepeat && { isRepeat }) })
      const channel = openTabChannel({ createChannel: host.createChannel, name: channelOf(sessionId) })
      channel?.post({ kind: 'removed', at, from: environment.createId() })
      channel?.close()
    },
  }
}
