import type { StoreRuntime } from '../runtime/createStoreRuntime.ts'
import { toEndpointError } from './toEndpointError.ts'
import type { AgentFollowedRun } from './agentReadModel.ts'
import { describeRun } from './describeRun.ts'

/** What RTK Query gives `onCacheEntryAdded`, as far as a followed run needs it. */
export interface RunCacheEntry {
  readonly cacheDataLoaded: Promise<{ data: AgentFollowedRun }>
  readonly cacheEntryRemoved: Promise<void>
  getCacheEntry(): { data?: AgentFollowedRun | undefined }
  updateCachedData(recipe: (draft: AgentFollowedRun) => AgentFollowedRun | undefined | void): unknown
}

/** How often the entry follows what streams, in milliseconds: the content is not its business. */
const textDelay = 1000

/** Keeps a cache entry as its run stands, for as long as there is the entry; `attach` reads the run meanwhile. */
export async function showRun(
  entry: RunCacheEntry,
  getRuntime: () => StoreRuntime,
  attach?: (runtime: StoreRuntime, run: AgentFollowedRun) => () => void,
): Promise<void> {
  let isRemoved = false
  const removed = entry.cacheEntryRemoved.then(() => void (isRemoved = true))
  let shown: AgentFollowedRun
  try {
    shown = (await entry.cacheDataLoaded).data
  } catch {
    // It went before there was anything to show.
    return
  }
  if (isRemoved) return
  const runtime = getRuntime()
  let stopTimer: (() => void) | undefined

  function put(next: AgentFollowedRun) {
    stopTimer?.()
    stopTimer = undefined
    shown = next
    // After a reset of the api the entry may be there anew, without data, before this one is told.
    if (isRemoved || !entry.getCacheEntry().data) return
    entry.updateCachedData((draft) => {
      const writable = draft as { error?: AgentFollowedRun['error'] }
      if (!next.error) delete writable.error
      Object.assign(writable, next)
    })
  }

  function update() {
    const next = describeRun(runtime, shown)
    if (!isSameStanding(next, shown)) put(next)
    else if (next.lastSequence !== shown.lastSequence) {
      stopTimer ??= runtime.environment.setTimer(() => put(describeRun(runtime, shown)), textDelay)
    }
  }

  const stopWatching = runtime.watchers.watch(shown.sessionId, update)
  let detach: (() => void) | undefined
  try {
    detach = attach?.(runtime, shown)
    update()
  } catch (thrown) {
    const { data, error: message } = toEndpointError(thrown)
    put({ ...describeRun(runtime, shown), connection: 'failed', error: { code: data.code, message } })
  }
  await removed
  stopTimer?.()
  stopWatching()
  detach?.()
}

function isSameStanding(one: AgentFollowedRun, other: AgentFollowedRun): boolean {
  const isSameError = one.error?.code === other.error?.code && one.error?.message === other.error?.message
  return one.status === other.status && one.connection === other.connection && isSameError
}
