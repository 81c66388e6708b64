import type { RunTaking } from '../../../demo/server/runs/runObserver.ts'

/** What a node says of itself, one JSON a line. */
export type NodeLine =
  | { type: 'listening'; port: number }
  | { type: 'taken'; runId: string; taking: RunTaking; epoch: number }
  | { type: 'lost'; runId: string }
  | { type: 'failed'; runId?: string | undefined; name: string; text: string }
