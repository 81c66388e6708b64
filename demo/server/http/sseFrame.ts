import type { CheckpointKind, EventRow } from '../store/rows.ts'

/** A frame that takes no sequence and moves no cursor; `seq` names the last stored one, in `run-start` 1. */
export type ControlFrame =
  | { type: 'run-start'; runId: string; seq: 1; assistantMessageId: string }
  | {
      type: 'resume-start'
      runId: string
      seq: number
      fromSeq: number
      replayedCount: number
      assistantMessageId: string
    }
  | { type: 'checkpoint'; runId: string; seq: number; checkpointKind: CheckpointKind }
  | { type: 'resume-unavailable'; runId: string; seq: number; reason: string; recoverable: boolean }
  | { type: 'parked' | 'end'; runId: string; seq: number }

/** A stored event as one frame, whose id is the cursor. */
export function formatEventFrame(row: EventRow): string {
  return `id: ${row.seq}\ndata: ${JSON.stringify(row)}\n\n`
}

/** A control frame: its type is the SSE event's name, and it has no id. */
export function formatControlFrame(frame: ControlFrame): string {
  return `event: ${frame.type}\ndata: ${JSON.stringify(frame)}\n\n`
}
