import type { AgentEnvironment, AgentTabChannel, AgentTabLocks } from 'redux-agent'

interface Lock {
  readonly tab: Tab
  readonly release: (error?: Error) => void
}
interface LockRequest {
  readonly tab: Tab
  grant(): void
  isGone: boolean
}
interface Channel extends AgentTabChannel {
  readonly name: string
  readonly tab: Tab
  isOpen: boolean
}

/** A tab as its browser sees it. */
interface Tab {
  isAlive: boolean
  isFrozen: boolean
  freeze: () => void
  thaw: () => void
}

/** Tabs have said all that there is to say long before. */
const maxLetters = 10_000

const stolen = () => new DOMException('The lock was stolen.', 'AbortError')

/**
 * A browser with Web Locks and channels between its tabs. Messages arrive in their order, each in a turn of its own; one
 * that is made `byHand` delivers when it is told to.
 */
export function createBrowser({ byHand = false, hasExclusion = true } = {}) {
  const held = new Map<string, Lock>()
  const queues = new Map<string, LockRequest[]>()
  const channels = new Set<Channel>()
  const tabs = new Set<Tab>()
  const mail: { from: Channel; data: unknown }[] = []
  const log: { name: string; data: unknown }[] = []

  function next(name: string) {
    if (held.has(name)) return
    const queue = queues.get(name) ?? []
    const request = queue.find(({ isGone, tab }) => !isGone && tab.isAlive)
    if (!request) return
    queues.set(name, queue.slice(queue.indexOf(request) + 1))
    request.grant()
  }

  function createLocks(tab: Tab): AgentTabLocks {
    return {
      request: (name, { ifAvailable, steal, signal }, callback) =>
        new Promise((resolve, reject) => {
          if (signal?.aborted) return reject(signal.reason)
          // A browser that does it wrong: everybody gets the lock.
          if (!hasExclusion) return void callback({ name }).then(resolve, reject)
          function hold(lock: unknown) {
            let isOver = false
            const release = (error?: Error) => {
              if (isOver) return
              isOver = true
              if (held.get(name) === own) held.delete(name)
              if (error) reject(error)
              next(name)
            }
            const own: Lock = { tab, release }
            if (lock) held.set(name, own)
            queueMicrotask(() => {
              if (!tab.isAlive) return release()
              const work = callback(lock)
              work.then(resolve, reject)
              void work.finally(release).catch(() => undefined)
            })
          }
          if (steal) {
            const before = held.get(name)
            held.delete(name)
            hold({ name })
            return before?.release(stolen())
          }
          if (!held.has(name) && !(queues.get(name) ?? []).some(({ isGone }) => !isGone)) return hold({ name })
          if (ifAvailable) return hold(null)
          const request: LockRequest = {
            tab,
            isGone: false,
            grant() {
              request.isGone = true
              hold({ name })
            },
          }
          queues.set(name, [...(queues.get(name) ?? []), request])
          signal?.addEventListener('abort', () => {
            // Once it was granted there is nothing to call off.
            if (request.isGone) return
            request.isGone = true
            reject(signal.reason)
          })
        }),
    }
  }

  function deliver() {
    const letter = mail.shift()
    if (!letter) return false
    for (const channel of channels) {
      const isMeant = channel !== letter.from && channel.name === letter.from.name && channel.isOpen
      // What is sent to a page that is frozen is lost, as some browsers drop the page for it.
      if (isMeant && channel.tab.isAlive && !channel.tab.isFrozen) {
        channel.onmessage?.({ data: structuredClone(letter.data) })
      }
    }
    return true
  }

  function createChannel(tab: Tab, name: string): AgentTabChannel {
    const channel: Channel = {
      name,
      tab,
      isOpen: true,
      onmessage: null,
      postMessage(data) {
        if (!tab.isAlive) return
        const copy = structuredClone(data)
        log.push({ name, data: copy })
        mail.push({ from: channel, data: copy })
        if (!byHand) queueMicrotask(deliver)
      },
      close: () => void (channel.isOpen = false),
    }
    channels.add(channel)
    return channel
  }

  return {
    /** Everything that tabs said, in order. */
    log,
    kinds: () => log.map(({ data }) => (data as { kind: string }).kind),
    deliver,
    lose: () => void mail.shift(),
    /** Brings the next letter twice. */
    double: () => void (mail[0] && mail.unshift(mail[0])),
    /** Brings the next letter after the one behind it, as two tabs' letters may come to a third. */
    swap: () => void mail.splice(0, 2, ...mail.slice(0, 2).reverse()),
    deliverAll() {
      for (let count = 0; deliver(); count += 1) {
        if (count >= maxLetters) throw new Error('The tabs answer each other for ever.')
      }
    },
    locks: () => [...held.keys()],
    /** Puts a message on a channel, as any script of the origin can. */
    inject(name: string, data: unknown) {
      for (const channel of channels) if (channel.name === name && channel.isOpen) channel.onmessage?.({ data })
    },
    createTab() {
      const tab: Tab = { isAlive: true, isFrozen: false, freeze: () => undefined, thaw: () => undefined }
      tabs.add(tab)
      const environment: Pick<AgentEnvironment, 'locks' | 'createChannel' | 'onFreeze'> = {
        locks: createLocks(tab),
        createChannel: (name) => createChannel(tab, name),
        onFreeze({ freeze, thaw }) {
          tab.freeze = freeze
          tab.thaw = thaw
          return () => undefined
        },
      }
      function kill() {
        tab.isAlive = false
        for (const lock of [...held.values()]) if (lock.tab === tab) lock.release()
      }
      return {
        environment,
        isAlive: () => tab.isAlive,
        /** Ends the tab without a word, as a crash does. */
        kill,
        /** Closes the tab, or leaves its page: the page is told. */
        close() {
          tab.freeze()
          kill()
        },
        /** Puts the page to sleep in the back/forward cache. */
        freeze() {
          tab.freeze()
          tab.isFrozen = true
        },
        /** Stops the page without a word, as a debugger or an operating system does; its locks stay. */
        hang: () => void (tab.isFrozen = true),
        thaw() {
          tab.isFrozen = false
          tab.thaw()
        },
        isFrozen: () => tab.isFrozen,
      }
    },
  }
}
