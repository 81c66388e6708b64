/** What a trace from outside may be at the most. */
export interface AgentTraceLimits {
  /** Of the file, in bytes, or of the text, in characters; 64 MB by default. */
  maxSize?: number | undefined
  /** Of events, and of checkpoints; 200,000 by default. */
  maxEvents?: number | undefined
}
