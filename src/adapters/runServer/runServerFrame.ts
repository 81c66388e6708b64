import { listOf } from '../../protocol/listOf.ts'
import { isRecord } from '../../protocol/predicates.ts'

/** A stored event as the server sends it; who takes the event checks it. */
export interface RunServerFrame {
  readonly runId: string
  readonly seq: number
  readonly event: unknown
  /** In milliseconds. */
  readonly createdAt: number
}

/** Says whether a value is a frame; a plain predicate, as every event of a stream comes by here. */
export function isRunServerFrame(value: unknown): value is RunServerFrame {
  return (
    isRecord(value) &&
    typeof value.runId === 'string' &&
    Number.isSafeInteger(value.seq) &&
    (value.seq as number) > 0 &&
    Number.isFinite(value.createdAt)
  )
}

/** A list of frames: what a command's answer holds. */
export const runServerFramesSchema = listOf(isRunServerFrame)
