import { AgentTraceError } from './agentTraceError.ts'

/** What a trace from outside may be at the most. */
export interface AgentTraceLimits {
  /** Of the file, in bytes, or of the text, in characters; 64 MB by default. */
  maxSize?: number | undefined
  /** Of events, and of checkpoints; 200,000 by default. */
  maxEvents?: number | undefined
}

const defaultMaxSize = 64 * 1024 * 1024

/** @throws AgentTraceError `too_large`. */
export function assertTraceSize(size: number, { maxSize = defaultMaxSize }: AgentTraceLimits): void {
  if (size <= maxSize) return
  const megabytes = (maxSize / 1024 / 1024).toLocaleString('en-US', { maximumFractionDigits: 1 })
  throw new AgentTraceError('too_large', `The file is larger than ${megabytes} MB, which is the limit here.`)
}
