/**
 * How a browser's tabs share their sessions.
 *
 * @experimental
 */
export interface AgentTabsOptions {
  /**
   * What the names of locks and channels begin with; the runtime's `reducerPath` by default. Tabs share a session where
   * both are the same: one name a user keeps users apart.
   */
  name?: string | undefined
}

/**
 * The part of Web Locks that tabs need: `navigator.locks` is one.
 *
 * @experimental
 * @example
 * const environment = { locks: navigator.locks, createChannel: (name) => new BroadcastChannel(name) }
 */
export interface AgentTabLocks {
  request(
    name: string,
    options: { ifAvailable?: boolean; steal?: boolean; signal?: AbortSignal },
    callback: (lock: unknown) => Promise<unknown>,
  ): Promise<unknown>
}

/**
 * The part of a BroadcastChannel that tabs need.
 *
 * @experimental
 */
export interface AgentTabChannel {
  postMessage(message: unknown): void
  onmessage: ((event: { data: unknown }) => void) | null
  close(): void
}
