import { AgentTraceError } from './agentTraceError.ts'
import type { AgentTraceLimits } from './agentTraceLimits.ts'

const defaultMaxSize = 64 * 1024 * 1024

/**
 * Refuses what is larger than a trace may be.
 *
 * @throws AgentTraceError `too_large`.
 */
export function assertTraceSize(size: number, { maxSize = defaultMaxSize }: AgentTraceLimits): void {
  if (size <= maxSize) return
  const megabytes = (maxSize / 1024 / 1024).toLocaleString('en-US', { maximumFractionDigits: 1 })
  throw new AgentTraceError('too_large', `The file is larger than ${megabytes} MB, which is the limit here.`)
}
