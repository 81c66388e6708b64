import type { Page } from 'playwright-core'
import type { AgentEvent } from 'redux-agent'

interface Log {
  readonly status: string
  readonly events: readonly { readonly event: AgentEvent }[]
}

/** The run server, asked by the page's own person. */
export const serverOf = (page: Page) => {
  const read = async (path: string) => {
    const response = await page.request.get(new URL(path, page.url()).href)
    if (!response.ok()) throw new Error(`${path} was answered with status ${response.status()}.`)
    return response
  }
  return {
    document: async (id: string): Promise<{ title: string; content: string; version: number }> =>
      (await read(`/api/documents/${id}`)).json(),
    log: async (runId: string): Promise<Log> => (await read(`/api/agent/runs/${runId}/events?limit=1000`)).json(),
    /** All runs of this person. */
    runIds: async (): Promise<readonly string[]> => {
      const { conversations } = (await (await read('/api/agent/conversations')).json()) as {
        conversations: readonly { id: string }[]
      }
      const pages = await Promise.all(
        conversations.map(async ({ id }) => (await read(`/api/agent/conversations/${id}`)).json()),
      )
      return (pages as { runs: readonly { runId: string }[] }[]).flatMap(({ runs }) => runs.map(({ runId }) => runId))
    },
    /** Follows a run to its end, which is when the server closes the stream. */
    followToEnd: async (runId: string): Promise<string> => (await read(`/api/agent/runs/${runId}/stream`)).text(),
  }
}
