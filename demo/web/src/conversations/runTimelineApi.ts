import { createApi, fetchBaseQuery } from '@reduxjs/toolkit/query/react'
import { encodePathSegment, isAgentEvent, replayAgentEvents, type AgentEvent, type AgentState } from 'redux-agent'
import * as z from 'zod/mini'

const pageSize = 1000
const pageSchema = z.object({
  events: z.array(z.object({ event: z.custom<AgentEvent>(isAgentEvent) })),
  lastSeq: z.number(),
})

/** None where the id is none that a path can hold. */
function toLogUrl(runId: string): string | undefined {
  try {
    return `api/agent/runs/${encodePathSegment(runId)}/events`
  } catch {
    return undefined
  }
}

/** What a run did, folded from its log: what its messages alone do not tell. */
export const runTimelineApi = createApi({
  reducerPath: 'agentApi',
  baseQuery: fetchBaseQuery({ baseUrl: '/' }),
  tagTypes: ['Conversation', 'Run'],
  endpoints: (build) => ({
    runTimeline: build.query<AgentState, string>({
      async queryFn(runId, _api, _extra, baseQuery) {
        const events: AgentEvent[] = []
        const url = toLogUrl(runId)
        if (url === undefined) return { error: { status: 'CUSTOM_ERROR', error: 'No run has such an id.' } }
        for (;;) {
          const params = { after: events.at(-1)?.sequence ?? 0, limit: pageSize }
          const { data, error } = await baseQuery({ url, params })
          if (error) return { error }
          const page = pageSchema.safeParse(data)
          if (!page.success) return { error: { status: 'CUSTOM_ERROR', error: 'This is no event log.' } }
          events.push(...page.data.events.map(({ event }) => event))
          const last = events.at(-1)?.sequence ?? 0
          if (page.data.events.length === 0 || last >= page.data.lastSeq) return { data: replayAgentEvents(events) }
        }
      },
      // What has ended does not change.
      keepUnusedDataFor: 600,
    }),
  }),
})
