import { createPersistoid, createTransform, getStoredState, purgeStoredState } from 'redux-persist'
import type { AgentCheckpoint } from '../../src/checkpoint/agentCheckpoint.ts'
import type { AgentCheckpointStorage } from '../../src/checkpoint/agentCheckpointStorage.ts'
import { defaultKeyPrefix, getCheckpointKey } from '../../src/checkpoint/getCheckpointKey.ts'
import { parseJson } from '../../src/parseJson.ts'
import { toCheckpointError } from '../../src/checkpoint/toCheckpointError.ts'
import { AgentCheckpointError } from '../../src/checkpoint/agentCheckpointError.ts'
import { maxTimerDelay } from '../../src/toTimerDelay.ts'
import { readNumberOption } from '../readNumberOption.ts'
import type { AgentPersistEngine } from './agentPersistEngine.ts'
import { chain } from './chain.ts'
import type { Awaitable } from './awaitable.ts'
import { runNow } from './runNow.ts'
import type { CheckpointCell, CheckpointCellOptions } from './checkpointCell.ts'
import { createCheckpointSession, type CheckpointSession } from './createCheckpointSession.ts'
import { createWriteQueue, type WriteQueue } from './createWriteQueue.ts'

/** Makes the text unreadable for others and readable again, at once or asynchronously. */
export interface AgentCheckpointCipher {
  encrypt(text: string): Awaitable<string>
  decrypt(text: string): Awaitable<string>
}

/** How checkpoints are kept with redux-persist. */
export interface PersistCheckpointStorageOptions {
  /** Any of redux-persist's engines, `localStorage` itself, or `createWebStorage(() => localStorage)`. */
  storage: AgentPersistEngine
  /** What the keys begin with; `redux-agent:checkpoint:` by default. One a user keeps users apart. */
  keyPrefix?: string
  /** The least time between two writes of a session that nobody flushes, in milliseconds; 0 by default. */
  throttle?: number
  /**
   * Blanks what must not reach the storage; it may change what entities hold, not which there are. A run's cursor may
   * hold what has come of it and is in no entity yet, as that of AG-UI's adapter a tool's result.
   */
  redact?: (checkpoint: AgentCheckpoint) => AgentCheckpoint
  /**
   * How long a checkpoint is good for after its last save, in milliseconds, and what was put in quarantine as well; for
   * ever by default. What is too old is deleted when the session is loaded, and a
   * page that comes back from the back/forward cache shows no more of it than one that is loaded.
   */
  ttl?: number
  encrypt?: AgentCheckpointCipher
  /** The clock, in milliseconds. */
  now?: () => number
}

/**
 * Keeps checkpoints with redux-persist's own parts, in any of its storage engines, without its reducer (design,
 * section 8). A session's key holds the runs that are not over, state and cursor as one value; a settled run is written
 * once, under a key of its own. Rejects with an `AgentCheckpointError`: `unavailable`, `quota_exceeded`, `load_failed`,
 * `save_failed`, `not_serializable`; see `load` for what is damaged.
 *
 * @throws AgentRuntimeError (`invalid_option`) where a number is none.
 *
 * @example
 * const checkpointStorage = createPersistCheckpointStorage({ storage: createWebStorage(() => localStorage) })
 */
export function createPersistCheckpointStorage(
  options: PersistCheckpointStorageOptions,
): Required<AgentCheckpointStorage> {
  const { storage: engine, encrypt: cipher, redact, keyPrefix = defaultKeyPrefix, now = Date.now } = options
  const ttl = readNumberOption('ttl', options.ttl, { fallback: Infinity })
  const throttle = Math.min(readNumberOption('throttle', options.throttle, { fallback: 0 }), maxTimerDelay)
  const sessions = new Map<string, CheckpointSession>()

  /** Binds a key to redux-persist. Its `serialize` is switched off: it would write every text as JSON in JSON. */
  function openCell<Value extends object>(
    queue: WriteQueue,
    { key, throttle, toText, revise, onWrite }: CheckpointCellOptions<Value>,
  ): CheckpointCell<Value> {
    let isClosed = false
    let failure: unknown
    const none = () => Promise.resolve()
    const unused = { getItem: none, setItem: none, removeItem: none }
    const config = { key, keyPrefix: '', throttle, serialize: false, deserialize: false, storage: unused }

    function put(text: string): Awaitable<void> {
      return chain(cipher ? cipher.encrypt(text) : text, (sealed: unknown) => {
        if (typeof sealed !== 'string') {
          const message = 'encrypt gave something that is no text, and nothing was written.'
          throw new AgentCheckpointError('save_failed', { message })
        }
        return chain(engine.setItem(key, sealed) as Awaitable<unknown>, () => undefined)
      })
    }

    let made: ReturnType<typeof createPersistoid> | undefined
    // Made when something is written: of the keys that a session is read from most never are.
    const persistoid = () => (made ??= createPersistoid({
      ...config,
      // A transform must not throw: redux-persist calls it from a timer.
      transforms: [createTransform((value: Value): Packed<Value> => ({ value, text: attempt(() => toText(value)) }))],
      storage: {
        ...unused,
        setItem(_: string, { checkpoint: { value, text } }: { checkpoint: Packed<Value> }) {
          if (isClosed) return Promise.resolve()
          const outcome = queue.push(key, () => (isClosed ? undefined : chain(revise ? revise(text()) : text(), put)))
          onWrite?.(value, outcome)
          return outcome.catch((error: unknown) => {
            failure = error
            // redux-persist prints what it gets; this failure is told by the promise of the save.
            return Promise.reject()
          })
        },
      },
      writeFailHandler: () => {
        failure = toCheckpointError(failure, 'save_failed')
      },
    }))

    return {
      key,
      async read() {
        let raw: unknown
        const read = { ...config, transforms: [createTransform(null, parseStored)], storage: { ...unused, getItem } }
        async function getItem() {
          raw = await engine.getItem(key)
          if (raw === null || raw === undefined) return undefined
          // What cannot be decrypted is as damaged as what cannot be parsed.
          const text = cipher ? await runNow(() => cipher.decrypt(raw as string)).catch(() => undefined) : raw
          return { checkpoint: text }
        }
        const stored = (await getStoredState(read)) as { checkpoint?: unknown } | undefined
        return stored && { raw, value: stored.checkpoint }
      },
      stage(value) {
        persistoid().update({ checkpoint: value })
      },
      async flush() {
        failure = undefined
        await made?.flush()
        if (failure) throw failure
      },
      async purge() {
        await purgeStoredState({ ...config, storage: { ...unused, removeItem: () => engine.removeItem(key) } })
      },
      close() {
        isClosed = true
      },
    }
  }

  function sessionOf(sessionId: string): CheckpointSession {
    let session = sessions.get(sessionId)
    if (!session) {
      const queue = createWriteQueue()
      session = createCheckpointSession({
        sessionId,
        openCell: (cell) => openCell(queue, cell),
        queue,
        keyOf: (...part) => getCheckpointKey(keyPrefix, sessionId, ...part),
        throttle,
        redact,
        ttl,
        now,
      })
      sessions.set(sessionId, session)
    }
    return session
  }

  return {
    load: (sessionId) => runNow(() => sessionOf(sessionId).load()),
    save: (checkpoint) => runNow(() => sessionOf(checkpoint.sessionId).save(checkpoint)),
    flush: (sessionId) => runNow(() => sessionOf(sessionId).flush()),
    remove: (sessionId) => runNow(() => sessionOf(sessionId).remove()),
    forget: (sessionId) => runNow(() => sessionOf(sessionId).forget()),
  }
}

/** A value on its way through redux-persist, with its text or what kept it from becoming one. */
interface Packed<Value> {
  readonly value: Value
  text(): string
}

function attempt(work: () => string): () => string {
  try {
    const text = work()
    return () => text
  } catch (error) {
    return () => {
      throw error
    }
  }
}

function parseStored(text: unknown): unknown {
  return typeof text === 'string' ? parseJson(text) : undefined
}
