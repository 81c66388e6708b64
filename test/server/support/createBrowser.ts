import { createAgentCommandFactory, type AgentCommand } from 'redux-agent'
import { envelopeOf, readFrames, readUntil, type Frame, type StoredEnvelope } from './readFrames.ts'

interface Answer<Body> {
  status: number
  body: Body
}

/** What tests read of an answer. */
interface AnyBody {
  code: string
  message: string
  [field: string]: unknown
}

/** A client with a cookie jar. */
export function createBrowser(url: string, initialCookie?: string) {
  const jar = new Map((initialCookie?.split('; ') ?? []).map((cookie) => [cookie.split('=', 1)[0]!, cookie]))
  const getCookie = () => (jar.size === 0 ? undefined : [...jar.values()].join('; '))
  const send = async (path: string, init: RequestInit = {}): Promise<Response> => {
    const headers = new Headers(init.headers)
    const cookie = getCookie()
    if (cookie !== undefined) headers.set('cookie', cookie)
    const response = await fetch(`${url}${path}`, { ...init, headers })
    for (const given of response.headers.getSetCookie()) {
      const name = given.split('=', 1)[0]!
      if (given.includes('Max-Age=0')) jar.delete(name)
      else jar.set(name, given.split(';', 1)[0]!)
    }
    return response
  }
  const request = async <Body = AnyBody>(method: string, path: string, body?: unknown): Promise<Answer<Body>> => {
    const response = await send(path, {
      method,
      ...(body !== undefined && { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
    })
    const text = await response.text()
    return { status: response.status, body: (text === '' ? undefined : JSON.parse(text)) as Body }
  }
  const start = async (prompt: string, more: Record<string, unknown> = {}) => {
    const response = await send('/api/agent/stream', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ conversationId: 'c1', messages: [{ role: 'user', content: prompt }], ...more }),
    })
    if (response.status !== 200) throw new Error(`Start: ${response.status} ${await response.text()}`)
    const frames = readFrames(response)
    const first = (await frames.next()).value as Frame
    return { frames, first, runId: first.data.runId as string }
  }
  const command = (made: AgentCommand, headers: Record<string, string> = {}) =>
    send('/api/agent/commands', {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'idempotency-key': made.idempotencyKey, ...headers },
      body: JSON.stringify(made),
    }).then(async (response) => ({ status: response.status, body: (await response.json()) as CommandBody }))
  return {
    send,
    request,
    start,
    command,
    commands: (runId: string, sessionId = 'c1') => createAgentCommandFactory({ sessionId, runId }),
    follow: async (runId: string, after = 0) =>
      readFrames(await send(`/api/agent/runs/${runId}/stream?after=${after}`)),
    getCookie,
    /** Starts a run and reads on until it asks for approval. */
    async startToApproval(prompt: string, more: Record<string, unknown> = {}) {
      const run = await start(prompt, more)
      const read = await readUntil(run.frames, 'approval.requested')
      const payload = envelopeOf(read[read.length - 1]!).event.payload as ApprovalPayload
      return { ...run, read, approval: payload }
    },
  }
}

export type TestBrowser = ReturnType<typeof createBrowser>

export interface CommandBody {
  applied: boolean
  appliedThroughSeq: number
  events: StoredEnvelope[]
  code: string
  message: string
  decision: string
  runStatus: string
}

export interface ApprovalPayload {
  approvalId: string
  toolCallId: string
  description: string
  risk: string
  editable: boolean
  version: number
  data: {
    toolName: string
    arguments: Record<string, unknown>
    preview: { kind: string; documentId?: string; title: string; before: string; after: string; baseVersion?: number }
  }
}

