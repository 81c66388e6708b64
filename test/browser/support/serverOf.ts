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
    /** Follows a run to its end, which is when the server closes the stream. */
    followToEnd: async (runId: string): Promise<string> => (await read(`/api/agent/runs/${runId}/stream`)).text(),
  }
}
