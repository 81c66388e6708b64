import type { AgentTransportTimers } from './agentTransportTimers.ts'

/** The host's own timers. */
export const globalTimers: AgentTransportTimers = {
  setTimeout: (callback, delay) => globalThis.setTimeout(callback, delay),
  clearTimeout: (handle) => globalThis.clearTimeout(handle as ReturnType<typeof setTimeout>),
}
