import type { AgentEvent } from 'redux-agent'

/** What a request asked for: to start (or attach to) a run, or to go on after a sequence. */
export type StreamRequest =
  | { kind: 'start'; runId: string; body: string }
  | { kind: 'resume'; runId: string; after: number }

/** What is wrong with an answer. */
export interface AnswerFaults {
  /** How many events before the cursor come again. */
  back?: number | undefined
  /** Which event after the cursor is left out, from 0 on. */
  skip?: number | undefined
  /** Refuses the request by this status, and these headers. */
  refusal?: { status: number; headers?: Record<string, string> } | undefined
}

const encoder = new TextEncoder()

/** A run's log as the frames of its stream, in bytes. */
export function encodeLog(log: readonly AgentEvent[]) {
  const { runId } = log[0]!
  const isOver = log.at(-1)!.type.startsWith('run.')
  const control = (type: string, fields: object = {}) =>
    `event: ${type}\ndata: ${JSON.stringify({ type, runId, ...fields })}\n\n`
  const frame = (event: AgentEvent) =>
    `id: ${event.sequence}\ndata: ${JSON.stringify({ runId, seq: event.sequence, event, createdAt: 1000 })}\n\n`
  const frames = log.map((event) => encoder.encode(frame(event)))
  const opening = encoder.encode(control('run-start', { seq: 1, assistantMessageId: 'm1' }))
  const ending = isOver ? encoder.encode(control('end', { seq: log.length })) : new Uint8Array()
  const headOf = (after: number) =>
    after === 0 ? opening : encoder.encode(control('resume-start', { seq: log.length, fromSeq: after }))
  return {
    /** The whole answer to a start, after 0, or to a resume. */
    answer(after: number, { back = 0, skip }: AnswerFaults = {}) {
      const sent = frames.filter((_, index) => index >= after - back && index !== (skip ?? -1) + after)
      return join([headOf(after), ...sent, ending])
    },
    /** How many bytes of that answer come before an event's frame. */
    offsetOf: (after: number, sequence: number) => join([headOf(after), ...frames.slice(after, sequence - 1)]).length,
    sizeOf: (sequence: number) => frames[sequence - 1]!.length,
  }
}

/**
 * A run server that holds one run's whole log, and follows the resume protocol but for its faults, by the request's
 * number; it keeps what it was asked.
 */
export function createFakeRunServer(
  { answer }: Pick<ReturnType<typeof encodeLog>, 'answer'>,
  faultsOf: (index: number) => AnswerFaults = () => ({}),
) {
  const requests: StreamRequest[] = []

  const fetch: typeof globalThis.fetch = async (_url, init) => {
    const text = init?.body as string
    const body = JSON.parse(text) as { runId: string; resume?: { runId: string; lastAppliedSeq: number } }
    const { resume } = body
    if (resume) requests.push({ kind: 'resume', runId: resume.runId, after: resume.lastAppliedSeq })
    else requests.push({ kind: 'start', runId: body.runId, body: text })
    const faults = faultsOf(requests.length - 1)
    if (faults.refusal) return new Response('{}', faults.refusal)
    const stream = answer(resume?.lastAppliedSeq ?? 0, faults)
    return new Response(stream, { headers: { 'content-type': 'text/event-stream' } })
  }

  return { fetch, requests }
}

function join(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const joined = new Uint8Array(parts.reduce((length, part) => length + part.length, 0))
  let at = 0
  for (const part of parts) {
    joined.set(part, at)
    at += part.length
  }
  return joined
}
