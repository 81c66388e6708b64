import { assertNever } from '../../src/assertNever.ts'
import { AgentRuntimeError } from '../agentRuntimeError.ts'
import type { AgentEnvironment } from '../batch/agentEnvironment.ts'
import { createDeferred, type Deferred } from '../runtime/deferred.ts'
import type { AgentTabChannel, AgentTabLocks } from './agentTabs.ts'
import { createOwnership } from './createOwnership.ts'
import { openTabChannel, type TabChannel } from './openTabChannel.ts'
import type { TabHost } from './tabHost.ts'
import { parseTabMessage, type TabChange, type TabMessage, type TabSaid } from './tabMessage.ts'

/** A session's part in one tab: its owner, or one that follows. */
export interface SessionTab {
  /** Joins the session's tabs, or joins them again after `leave`. */
  join(): void
  /** Leaves them, as the page is about to go or to be frozen: another tab takes the session over. */
  leave(): void
  /** Leaves them for good: what waits for the session fails with this error. */
  close(error: Error): void
  isOwner(): boolean
  hasLeft(): boolean
  /** Resolves once this tab owns the session; rejects where another one keeps it. */
  own(options?: { force?: boolean }): Promise<void>
  /** Whether there is somebody to be told. */
  isTold(): boolean
  /** Tells the followers of a change of the owner's. */
  tell(change: TabChange): void
  /** Tells all tabs, whichever of them this is. */
  say(message: Extract<TabSaid, { kind: 'removed' | 'handed' | 'answered' | 'abort' | 'command' }>): void
  /** What had to wait for `takeSnapshot` need not any more. */
  answer(): void
  /** Tells the followers anew of all that there is, as the storage had more than was known. */
  renew(): void
  /** Asks the owner whether it is alive, as this page was not looked at for a while. */
  check(): void
}

type Role = 'undecided' | 'owner' | 'ceding' | 'follower' | 'left'

// How long another tab may be silent, in milliseconds, and how often it is asked before its session is taken from it.
const patience = 3000
const patienceAttempts = 2
/** How often a follower asks whether the owner is alive while something is going on, in milliseconds. */
const checkInterval = 15_000
// Changes that come before the snapshot; beyond so many another snapshot is cheaper.
const maxEarly = 1000

/** Gives the next epoch; after the highest that can be told there is none, and that one stays. */
const epochAfter = (epoch: number) => Math.min(epoch + 1, Number.MAX_SAFE_INTEGER)

export function createSessionTab(options: {
  sessionId: string
  tabId: string
  channelName: string
  lockName: string
  locks: AgentTabLocks
  createChannel: (name: string) => AgentTabChannel
  environment: AgentEnvironment
  host: TabHost
}): SessionTab {
  const { sessionId, tabId, channelName, lockName, locks, createChannel, environment, host } = options
  let role: Role = 'left'
  let channel: TabChannel | undefined
  /** When the session got its latest owner, as far as is known here: who came before it is not heard. */
  let epoch = 0
  /** Counts what was told to the followers, of which there may be none. */
  let told = 0
  const followers = new Set<string>()
  const unanswered = new Set<string>()
  /** Where this tab stands in what its owner tells. */
  let stream: { owner: string; number: number } | undefined
  let early: Extract<TabMessage, { kind: 'changed' }>[] = []
  /** Whether this tab, as the owner, had the session whole when it was last asked. */
  let isReady = false
  let claim: { result: Deferred<void>; force: boolean } | undefined
  let stopTimer: (() => void) | undefined
  let stopChecks: (() => void) | undefined
  let isAsking = false
  /** Whether this tab works by itself: where another one owns the session by its lock, two would answer its followers. */
  let isAlone = false

  const ownership = createOwnership({
    locks,
    name: lockName,
    onOwned() {
      isAlone = false
      becomeOwner()
    },
    onWaiting: becomeFollower,
    onLost() {
      isReady = false
      if (role === 'owner') void host.onCeded({ maySave: false })
    },
    // A host that gives no locks: the session is this tab's alone, as where there are none.
    onFailed() {
      isAlone = true
      becomeOwner()
    },
  })

  // What does not go off is asked for again.
  const post = (message: TabSaid) => void channel?.post({ ...message, from: tabId })

  function becomeOwner() {
    disarm()
    // What it followed up to now is all that there is; what it missed is in the storage, as far as it is anywhere.
    const isWhole = isReady || stream !== undefined
    role = 'owner'
    epoch = Math.max(environment.now(), epochAfter(epoch))
    stream = undefined
    early = []
    followers.clear()
    unanswered.clear()
    if (!isAlone) post({ kind: 'owned', epoch })
    claim?.result.resolve()
    claim = undefined
    host.onOwned(isWhole)
  }

  function becomeFollower() {
    disarm()
    role = 'follower'
    host.onWaiting()
    ask()
    stopChecks = environment.setTimer(checkOften, checkInterval)
  }

  function checkOften() {
    stopChecks = environment.setTimer(checkOften, checkInterval)
    if (host.isWaiting()) check()
  }

  function check() {
    if (role === 'follower' && !isAsking) ask()
  }

  /** Asks the owner for what is missing, or whether it is alive; one that stays silent loses the session. */
  function ask(attempt = 1) {
    isAsking = true
    stopTimer?.()
    if (claim && (stream || claim.force)) post({ kind: 'claim', force: claim.force })
    else post({ kind: stream ? 'ping' : 'hello', epoch })
    stopTimer = environment.setTimer(() => {
      if (attempt < patienceAttempts) ask(attempt + 1)
      else ownership.steal()
    }, patience)
  }

  /** The owner is alive: nothing more is asked, unless something is still missing. */
  function hear() {
    if (!isAsking) return
    if (stream && !claim) {
      stopTimer?.()
      isAsking = false
    } else {
      stopTimer?.()
      stopTimer = environment.setTimer(() => ask(), patience)
    }
  }

  function disarm() {
    stopTimer?.()
    stopChecks?.()
    isAsking = false
  }

  async function cede(to: string) {
    role = 'ceding'
    await host.onCeded({ maySave: true })
    if (role !== 'ceding') return
    post({ kind: 'granted', to })
    // Whoever asked for it may be gone by now.
    stopTimer = environment.setTimer(() => {
      if (role === 'ceding') becomeOwner()
    }, patience)
  }

  function sendSnapshot(to: string) {
    const session = host.takeSnapshot()
    if (!session) return void unanswered.add(to)
    unanswered.delete(to)
    followers.add(to)
    post({ kind: 'snapshot', to, epoch, number: told, session })
  }

  function receiveSnapshot(message: Extract<TabMessage, { kind: 'snapshot' }>) {
    if (role !== 'follower' || message.to !== tabId || message.epoch < epoch) return
    // What was told since is known already.
    const isOlder = stream?.owner === message.from && message.epoch === epoch && message.number < stream.number
    if (isOlder) return
    const untold = host.putSnapshot(message.session, message.from)
    if (!untold) return
    for (const state of untold) post({ kind: 'command', state })
    epoch = message.epoch
    stream = { owner: message.from, number: message.number }
    const waiting = early
    early = []
    host.onFollowing(message.session.status)
    if (claim) ask()
    else hear()
    for (const change of waiting) {
      // What is asked for anew holds the rest as well.
      if (!stream) return
      receiveChange(change)
    }
  }

  function receiveChange(message: Extract<TabMessage, { kind: 'changed' }>) {
    if (role !== 'follower' || message.epoch < epoch) return
    if (!stream) {
      if (early.length < maxEarly) early.push(message)
      return
    }
    const isNext = stream.owner === message.from && message.epoch === epoch && message.number === stream.number + 1
    if (isNext) {
      stream.number = message.number
      host.applyChange(message.change)
    } else if (message.epoch > epoch || message.number > stream.number) {
      miss()
    }
  }

  function receivePong(message: Extract<TabMessage, { kind: 'pong' }>) {
    if (message.to !== tabId) return
    const { from, epoch: theirs, number } = message
    // What it told last has not come, and never will: messages keep their order.
    const isBehind = stream && (stream.owner !== from || epoch !== theirs || stream.number < number)
    if (role === 'follower' && isBehind) miss()
    hear()
  }

  /**
   * Something is missing: a snapshot puts it right, which holds all that its owner had told before. What was told by
   * another owner must not be waited for, which may be gone.
   */
  function miss() {
    stream = undefined
    early = []
    ask()
  }

  function receive(data: unknown) {
    const message = parseTabMessage(data, sessionId)
    if (!message || message.from === tabId || role === 'left') return
    if (isAlone && message.kind !== 'removed') return
    const { from } = message
    switch (message.kind) {
      case 'hello':
      case 'ping':
        if (role !== 'owner') return
        // Of two owners the later one counts, also where the clock was put back between them.
        if (message.epoch > epoch) {
          epoch = epochAfter(message.epoch)
          post({ kind: 'owned', epoch })
        }
        post({ kind: 'pong', to: from, epoch, number: told })
        return message.kind === 'hello' ? sendSnapshot(from) : undefined
      case 'pong':
        return receivePong(message)
      case 'owned':
        if (role !== 'follower' || (from === stream?.owner && message.epoch <= epoch)) return
        epoch = Math.max(epoch, message.epoch)
        return miss()
      case 'snapshot':
        return receiveSnapshot(message)
      case 'changed':
        return receiveChange(message)
      case 'removed':
        // Two that both own it, as where the host gives no locks, must not send each other's word back and forth.
        return role === 'owner' && message.isRepeat ? undefined : host.onRemoved(role === 'owner', message.at)
      case 'handed':
        return role === 'owner' ? host.takeEvents(message.events) : undefined
      case 'answered':
        return role === 'owner' ? host.follow(message.runId) : undefined
      case 'abort':
        return role === 'owner' ? host.abort(message.runId) : undefined
      case 'command':
        return host.onCommand(message.state, from)
      case 'claim':
        if (role !== 'owner') return
        if (message.force || host.canCede()) return void cede(from)
        return post({ kind: 'denied', to: from })
      case 'granted':
        return claim && message.to === tabId ? ownership.steal() : undefined
      case 'denied':
        // Nobody denies a claim by force: what was denied is what was asked before it became one.
        return message.to === tabId && !claim?.force ? refuse() : undefined
      case 'bye':
        followers.delete(from)
        unanswered.delete(from)
        return host.onBye(from)
      default:
        return assertNever(message)
    }
  }

  function refuse() {
    const message = 'Another tab is at work on this conversation, and its answer cannot be taken up here. Go on there.'
    claim?.result.reject(new AgentRuntimeError('other_tab', message))
    claim = undefined
    hear()
  }

  function leave() {
    if (role === 'left') return
    disarm()
    post({ kind: 'bye' })
    if (role === 'owner') void host.onCeded({ maySave: true })
    role = 'left'
    isReady = false
    ownership.leave()
    channel?.close()
    channel = undefined
  }

  return {
    isOwner: () => role === 'owner',
    hasLeft: () => role === 'left',
    check,
    join() {
      role = 'undecided'
      isAlone = false
      stream = undefined
      early = []
      // Before anything is asked, so that nothing is missed.
      channel = openTabChannel({ createChannel, name: channelName, onMessage: receive })
      if (channel) ownership.join()
      // A tab that could not be heard would have the session taken from it, and would take it back, for ever.
      else becomeOwner()
    },
    leave,
    close(error) {
      leave()
      claim?.result.reject(error)
      claim = undefined
      host.onClosed(error)
    },
    own({ force = false } = {}) {
      if (role === 'owner') return Promise.resolve()
      claim ??= { result: createDeferred<void>(), force }
      claim.force ||= force
      const { promise } = claim.result
      if (role === 'follower') ask()
      return promise
    },
    isTold: () => role === 'owner' && followers.size > 0,
    tell(change) {
      told += 1
      post({ kind: 'changed', epoch, number: told, change })
    },
    say: post,
    renew() {
      if (role === 'owner') for (const to of [...followers]) sendSnapshot(to)
    },
    answer() {
      isReady = role === 'owner'
      for (const to of [...unanswered]) sendSnapshot(to)
    },
  }
}
