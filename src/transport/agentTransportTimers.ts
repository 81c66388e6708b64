/** The timers that a transport waits with, so that tests can give their own. */
export interface AgentTransportTimers {
  setTimeout(callback: () => void, delay: number): unknown
  clearTimeout(handle: unknown): void
}
