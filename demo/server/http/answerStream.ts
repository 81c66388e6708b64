import type { Socket } from 'node:net'
import type { TakenUp } from '../runs/takeUpRun.ts'
import type { RunRow } from '../store/rows.ts'
import { createRunStream, type RunStreamServices } from './createRunStream.ts'
import type { StreamGate } from './createStreamGate.ts'
import type { HttpObserver } from './httpObserver.ts'
import { requireCursor } from './requireCursor.ts'
import type { ControlFrame } from './sseFrame.ts'

export interface AnswerServices extends RunStreamServices {
  gate: StreamGate
  observer: HttpObserver
  now(): number
}

/**
 * Answers with a run's stream after a cursor; from 0 it begins as a start does.
 *
 * @throws RunServerError where the cursor is refused, `too_many_streams` (429).
 */
export async function answerStream(
  services: AnswerServices,
  options: TakenUp & { after: number; isResume?: boolean; socket: Socket | undefined },
): Promise<Response> {
  const { run, unavailable, after, isResume = false, socket } = options
  await requireCursor(services.store, run, after)
  const first = after === 0 && !isResume ? runStartOf(run) : resumeStartOf(run, after)
  const { gate, observer, now } = services
  const leave = gate.enter(run.ownerId)
  observer.streamOpened?.()
  const stream = createRunStream(services, {
    ...{ runId: run.runId, after, first, unavailable },
    onDelivered(rows) {
      for (const { createdAt } of rows) observer.delivered?.(now() - createdAt)
    },
    onClose() {
      leave()
      observer.streamClosed?.()
    },
    // A stream that fails would be written down by the library as an error of the server's, and into the answer too.
    abandon: socket && (() => void socket.destroy()),
  })
  return new Response(stream, {
    headers: {
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-cache, no-transform',
      // Proxies must not hold back what is meant to be seen now.
      'x-accel-buffering': 'no',
    },
  })
}

function runStartOf({ runId, assistantMessageId }: RunRow): ControlFrame {
  return { type: 'run-start', runId, seq: 1, assistantMessageId }
}

function resumeStartOf({ runId, assistantMessageId, lastSeq: seq }: RunRow, fromSeq: number): ControlFrame {
  return { type: 'resume-start', runId, seq, fromSeq, replayedCount: Math.max(seq - fromSeq, 0), assistantMessageId }
}
