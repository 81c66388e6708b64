import type { SetTimer } from '../setTimer.ts'
import type { RunServerStore } from '../store/runServerStore.ts'

/** How long the store may take to answer, in milliseconds. */
const patience = 2_000
/** How long an answer holds, so that whoever asks without end makes the store write once a second. */
const holds = 1_000

/** What the store does: it stores, only answers what it is asked, or neither. */
export type StoreCondition = 'writable' | 'read-only' | 'unreachable'

/**
 * Makes what finds out whether the store can be written, by writing: a full disk, a standby and a file that may not be
 * written show themselves in no other way. What is written is gone by the same commit.
 */
export function createStoreProbe(options: {
  store: RunServerStore
  setTimer: SetTimer
  now(): number
  createId(): string
}): () => Promise<StoreCondition> {
  const { store, setTimer, now, createId } = options
  let latest: { at: number; condition: Promise<StoreCondition> } | undefined

  const write = () =>
    store.transaction(async ({ idempotency }) => {
      await idempotency.insert({ ownerId: '', key: createId(), bodyHash: '', answer: null, createdAt: 0 })
      await idempotency.removeBefore(1)
    })
  const probe = async (): Promise<StoreCondition> => {
    if (await isWellWithin(write(), setTimer)) return 'writable'
    return (await isWellWithin(store.read(({ runs }) => runs.get('')), setTimer)) ? 'read-only' : 'unreachable'
  }

  return () => {
    const at = now()
    // A clock that was put back must not keep an answer for ever.
    if (latest === undefined || Math.abs(at - latest.at) >= holds) latest = { at, condition: probe() }
    return latest.condition
  }
}

function isWellWithin(work: Promise<unknown>, setTimer: SetTimer): Promise<boolean> {
  return new Promise((resolve) => {
    const cancel = setTimer(() => resolve(false), patience)
    work.then(
      () => resolve(true),
      () => resolve(false),
    ).finally(cancel)
  })
}
