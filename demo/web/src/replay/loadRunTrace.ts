import {
  createAgentTrace,
  encodePathSegment,
  isAgentEvent,
  replayAgentEvents,
  selectMessages,
  type AgentEvent,
  type AgentTrace,
} from 'redux-agent'
import * as z from 'zod/mini'

const pageSize = 1000
const pageSchema = z.object({
  events: z.array(z.object({ event: z.custom<AgentEvent>(isAgentEvent) })),
  checkpoints: z.array(z.object({ seq: z.number(), kind: z.string() })),
  lastSeq: z.number(),
})
const failureSchema = z.object({ error: z.object({ message: z.string() }) })

/**
 * Reads a run's whole log from the run server, page by page.
 *
 * @throws Error with words for the person where there is no such run, its log is gone, or the server is out of reach.
 */
export async function loadRunTrace(runId: string, signal: AbortSignal): Promise<AgentTrace> {
  const events: AgentEvent[] = []
  const checkpoints: AgentTrace['checkpoints'][number][] = []
  let lastSeq: number
  do {
    const after = events.at(-1)?.sequence ?? 0
    const url = `/api/agent/runs/${encodePathSegment(runId)}/events?after=${after}&limit=${pageSize}`
    const response = await fetch(url, { signal })
    const body: unknown = await response.json().catch(() => undefined)
    if (!response.ok) throw new Error(describeFailure(response.status, body))
    const page = pageSchema.parse(body)
    if (page.events.length === 0) break
    events.push(...page.events.map(({ event }) => event))
    checkpoints.push(...page.checkpoints.map(({ seq, kind }) => ({ sequence: seq, kind })))
    lastSeq = page.lastSeq
  } while (events.at(-1)!.sequence < lastSeq)
  return createAgentTrace({ events, checkpoints, title: findTitle(events), exportedAt: Date.now() })
}

function describeFailure(status: number, body: unknown): string {
  if (status === 404) return 'There is no such run, or it is not yours to see.'
  if (status === 410) return 'The log of this run is no longer kept, so that it cannot be replayed.'
  return failureSchema.safeParse(body).data?.error.message ?? `The server answered with status ${status}.`
}

/** A run is about what the person asked. */
function findTitle(events: readonly AgentEvent[]): string | undefined {
  const asked = selectMessages(replayAgentEvents(events)).find(({ message }) => message.role === 'user')
  const content = asked?.message.content
  return typeof content === 'string' ? content.slice(0, 200) : undefined
}
