/**
 * A storage engine as redux-persist knows it, synchronous or not: `localStorage` itself, or any
 * `redux-persist-*-storage`.
 */
export interface AgentPersistEngine {
  getItem(key: string): string | null | undefined | PromiseLike<string | null | undefined>
  setItem(key: string, value: string): unknown
  removeItem(key: string): unknown
}
