/** Is told what happens at the server's door, for logs and metrics; it must not throw. */
export interface HttpObserver {
  /** A request is answered; a stream is, once it begins. */
  answered?(answer: { method: string; path: string; status: number; durationMs: number }): void
  /** A limit has refused a request; `code` is that of the answer. */
  refused?(code: string): void
  streamOpened?(): void
  streamClosed?(): void
  /** An event was given to a follower that had all before it, so long after it had been appended. */
  delivered?(latencyMs: number): void
}
