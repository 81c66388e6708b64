import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createModelClient } from '../../demo/server/chat/createModelClient.ts'
import { createRunServer } from '../../demo/server/createRunServer.ts'
import { createScriptedModel } from './support/createScriptedModel.ts'
import type { TestBrowser } from './support/createBrowser.ts'
import { startTestServer, type TestServer } from './support/startTestServer.ts'

let server: TestServer
beforeEach(async () => {
  server = await startTestServer()
})
afterEach(() => server.close())

interface Owned {
  runId: string
  approvalId: string
  documentId: string
}

/** What somebody who knows every id of another person may try at each route that takes one. */
const attempts: Record<string, (other: TestBrowser, owned: Owned) => Promise<{ status: number; body: unknown }>> = {
  'GET /api/agent/runs/:runId': (other, { runId }) => other.request('GET', `/api/agent/runs/${runId}`),
  'GET /api/agent/runs/:runId/stream': (other, { runId }) => other.request('GET', `/api/agent/runs/${runId}/stream`),
  'GET /api/agent/runs/:runId/events': (other, { runId }) => other.request('GET', `/api/agent/runs/${runId}/events`),
  'GET /api/agent/runs/:runId/checkpoint': (other, { runId }) =>
    other.request('GET', `/api/agent/runs/${runId}/checkpoint`),
  'GET /api/agent/conversations/:id': (other) => other.request('GET', '/api/agent/conversations/c1'),
  'POST /api/agent/stream': (other, { runId }) =>
    other.request('POST', '/api/agent/stream', { resume: { runId, lastAppliedSeq: 0 } }),
  'POST /api/agent/commands': async (other, { runId, approvalId }) => {
    const payload = { approvalId, decision: 'approved' as const }
    return other.command(other.commands(runId).create('approval.resolve', payload))
  },
  'GET /api/documents/:id': (other, { documentId }) => other.request('GET', `/api/documents/${documentId}`),
  'PATCH /api/documents/:id': (other, { documentId }) =>
    other.request('PATCH', `/api/documents/${documentId}`, { content: 'Theirs' }),
  'DELETE /api/documents/:id': (other, { documentId }) => other.request('DELETE', `/api/documents/${documentId}`),
}

/** Routes that name nothing of anybody's: they show and make what is one's own. */
const ownRoutes = ['GET /api/agent/conversations', 'GET /api/documents', 'POST /api/documents']
const openRoutes = ['GET /healthz', 'GET /readyz']

async function prepare() {
  const [owner, other] = [server.createBrowser(), server.createBrowser()]
  const { runId, approval } = await owner.startToApproval('Shorten the travel policy')
  const made = await owner.request<{ id: string }>('POST', '/api/documents', { title: 'Mine', content: 'Mine' })
  await other.request('POST', '/api/documents', { title: 'Other', content: 'Other' })
  return { owner, other, owned: { runId, approvalId: approval.approvalId, documentId: made.body.id } }
}

describe('what is one person’s', () => {
  it('is looked for at every route that there is', async () => {
    const { app, close } = await createRunServer({ model: createScriptedModel([]) })
    const routes = app.routes.flatMap(({ method, path }) => (method === 'ALL' ? [] : [`${method} ${path}`]))
    expect([...new Set(routes)].sort()).toEqual([...Object.keys(attempts), ...ownRoutes, ...openRoutes].sort())
    await close()
  })

  it.each(Object.keys(attempts))('does not exist for another at %s', async (route) => {
    const { owner, other, owned } = await prepare()
    const state = async () => ({
      run: (await owner.request('GET', `/api/agent/runs/${owned.runId}`)).body,
      log: (await owner.request('GET', `/api/agent/runs/${owned.runId}/events`)).body,
      document: (await owner.request('GET', `/api/documents/${owned.documentId}`)).body,
    })
    const before = await state()
    const answer = await attempts[route]!(other, owned)
    const nothing = { runId: 'none', approvalId: 'none', documentId: 'none' }
    // Word for word what is said of what never was, so that nothing can be told from it.
    expect(answer.status).toBe(404)
    if (!route.includes('conversations')) {
      const unknown = await attempts[route]!(other, nothing)
      expect([unknown.status, unknown.body]).toEqual([answer.status, answer.body])
    }
    expect(await state()).toEqual(before)
  })

  it('is in no list of another, and their start cannot take its id', async () => {
    const { other, owned } = await prepare()
    const lists = [
      (await other.request('GET', '/api/agent/conversations')).body,
      (await other.request('GET', '/api/documents')).body,
    ]
    expect(JSON.stringify(lists)).not.toContain(owned.documentId)
    expect(lists[0]).toEqual({ conversations: [], nextCursor: null })
    const start = { runId: owned.runId, conversationId: 'c9', messages: [{ role: 'user', content: 'Hi' }] }
    expect(await other.request('POST', '/api/agent/stream', start)).toMatchObject({ status: 404 })
    const resumes = { resumes: owned.runId, conversationId: 'c9', messages: start.messages }
    expect(await other.request('POST', '/api/agent/stream', resumes)).toMatchObject({ status: 404 })
  })
})

describe('a server that is given nothing but a model', () => {
  it('answers to its own machine’s names alone', async () => {
    const { app, close } = await createRunServer({ model: createModelClient({ apiKey: 'none' }) })
    expect((await app.request('http://127.0.0.1/api/documents', { headers: { host: '127.0.0.1' } })).status).toBe(200)
    expect((await app.request('http://x.test/api/documents', { headers: { host: 'x.test' } })).status).toBe(421)
    await close()
  })
})
