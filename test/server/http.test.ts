import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createGate, createScriptedModel, finish, say } from './support/createScriptedModel.ts'
import { eventsOf, readAll } from './support/readFrames.ts'
import { startTestServer, type TestServer } from './support/startTestServer.ts'

interface WorkspaceDocument {
  id: string
  title: string
  content: string
  version: number
  updatedAt: number
}

let server: TestServer
beforeEach(async () => {
  server = await startTestServer()
})
afterEach(() => server.close())

const message = (content: unknown, more: object = {}) => ({ role: 'user', content, ...more })

describe('a start', () => {
  const good = { conversationId: 'c1', messages: [message('Hello')] }
  it.each<[string, unknown]>([
    ['no object', 7],
    ['an empty object', {}],
    ['no conversation', { messages: good.messages }],
    ['an empty conversation id', { ...good, conversationId: '' }],
    ['no message', { ...good, messages: [] }],
    ['an assistant message before it', { ...good, messages: [{ role: 'assistant', content: 'Sure' }, message('Hi')] }],
    ['a tool message alone', { ...good, messages: [{ role: 'tool', content: 'ok', tool_call_id: 'x' }] }],
    ['two user messages', { ...good, messages: [message('a'), message('b')] }],
    ['an empty message', { ...good, messages: [message('  ')] }],
    ['a message of no text', { ...good, messages: [message([])] }],
    ['a part that is not text', { ...good, messages: [message([{ type: 'image', url: 'x' }])] }],
    ['an unknown mode', { ...good, mode: 'root' }],
    ['a numeric run id', { ...good, runId: 7 }],
    [
      'a message with the id of the answer',
      { ...good, assistantMessageId: 'm', messages: [message('Hi', { id: 'm' })] },
    ],
    ['a resume without a cursor', { resume: { runId: 'r' } }],
    ['a resume with a negative cursor', { resume: { runId: 'r', lastAppliedSeq: -1 } }],
    ['a resume that is no object', { resume: 'r' }],
  ])('is refused with %s', async (_name, body) => {
    const browser = server.createBrowser()
    expect(await browser.request('POST', '/api/agent/stream', body)).toMatchObject({
      status: 400,
      body: { code: 'invalid_request', message: expect.any(String) },
    })
    const { body: list } = await browser.request<{ conversations: unknown[] }>('GET', '/api/agent/conversations')
    expect(list.conversations).toEqual([])
  })

  it('takes text parts and an id of the message', async () => {
    const browser = server.createBrowser()
    const parts = [{ type: 'text', text: 'List the ' }, { type: 'text', text: 'documents' }]
    const { frames } = await browser.start('', { messages: [message(parts, { id: 'm1' })] })
    const events = eventsOf(await readAll(frames))
    expect(events[2]).toMatchObject({ type: 'message.started', payload: { messageId: 'm1', content: parts } })
    expect(events.at(-1)!.type).toBe('run.completed')
  })
})

describe('every route', () => {
  it('refuses what is no JSON, is no JSON by its type, or is too large', async () => {
    const browser = server.createBrowser()
    const posts = ['/api/agent/stream', '/api/agent/commands', '/api/documents']
    const send = async (path: string, type: string, body: string) => {
      const response = await browser.send(path, { method: 'POST', headers: { 'content-type': type }, body })
      return { status: response.status, body: await response.json() }
    }
    for (const path of posts) {
      expect(await send(path, 'application/json', '{"a":')).toMatchObject({
        status: 400,
        body: { code: 'invalid_json' },
      })
      expect(await send(path, 'text/plain', '{}')).toMatchObject({
        status: 415,
        body: { code: 'unsupported_media_type' },
      })
      expect(await send(path, 'application/json', JSON.stringify('x'.repeat(2 * 1024 * 1024)))).toMatchObject({
        status: 413,
        body: { code: 'body_too_large' },
      })
    }
    expect((await browser.request('GET', '/api/documents')).status).toBe(200)
  })

  it('refuses what another site asks for', async () => {
    const browser = server.createBrowser()
    const headers = { 'sec-fetch-site': 'cross-site' }
    const response = await browser.send('/api/documents/onboarding-guide', { method: 'DELETE', headers })
    expect(response.status).toBe(403)
    expect((await browser.request('GET', '/api/documents/onboarding-guide')).status).toBe(200)
  })

  it('says what it does not know', async () => {
    const browser = server.createBrowser()
    const cases: [string, string][] = [
      ['/api/agent/runs/__proto__', 'run_not_found'],
      ['/api/agent/runs/constructor/stream', 'run_not_found'],
      ['/api/agent/runs/x/events', 'run_not_found'],
      ["/api/agent/runs/x'%20OR%201=1--", 'run_not_found'],
      ['/api/agent/conversations/toString', 'conversation_not_found'],
      ['/api/documents/__proto__', 'document_not_found'],
      ['/api/nothing', 'not_found'],
    ]
    for (const [path, code] of cases) {
      expect(await browser.request('GET', path)).toMatchObject({ status: 404, body: { code } })
    }
  })

  it('refuses cursors, limits and commands that are none', async () => {
    const browser = server.createBrowser()
    const { frames, runId } = await browser.start('List the documents')
    await readAll(frames)
    for (const query of ['after=-1', 'after=x', 'after=1.5', 'after=1e99', 'limit=x']) {
      expect(await browser.request('GET', `/api/agent/runs/${runId}/events?${query}`)).toMatchObject({ status: 400 })
    }
    expect(await browser.request('GET', `/api/agent/runs/${runId}/stream?after=x`)).toMatchObject({ status: 400 })
    const cancel = browser.commands(runId).create('run.cancel', {})
    const bad = [null, {}, { ...cancel, type: 'run.explode' }, { ...cancel, payload: null }, { ...cancel, runId: '' }]
    for (const body of bad) {
      expect(await browser.request('POST', '/api/agent/commands', body)).toMatchObject({
        status: 400,
        body: { code: 'invalid_command' },
      })
    }
    expect(await browser.command(cancel, { 'idempotency-key': 'other' })).toMatchObject({
      status: 400,
      body: { code: 'idempotency_key_mismatch' },
    })
  })

  it('shows nothing of one person to another', async () => {
    const [owner, other] = [server.createBrowser(), server.createBrowser()]
    await other.request('GET', '/api/documents')
    const { runId, approval, frames } = await owner.startToApproval('Shorten the travel policy')
    for (const path of ['', '/stream', '/events']) {
      expect(await other.request('GET', `/api/agent/runs/${runId}${path}`)).toMatchObject({ status: 404 })
    }
    expect(await other.request('GET', '/api/agent/conversations/c1')).toMatchObject({ status: 404 })
    const resume = { resume: { runId, lastAppliedSeq: 0 } }
    expect(await other.request('POST', '/api/agent/stream', resume)).toMatchObject({ status: 404 })
    const start = { runId, conversationId: 'c1', messages: [message('Hi')] }
    expect(await other.request('POST', '/api/agent/stream', start)).toMatchObject({ status: 404 })
    const decide = { approvalId: approval.approvalId, decision: 'approved' as const }
    const command = other.commands(runId).create('approval.resolve', decide)
    expect(await other.command(command)).toMatchObject({ status: 404, body: { code: 'run_not_found' } })
    await owner.command(owner.commands(runId).create('approval.resolve', decide))
    await readAll(frames)
    const read = (browser: typeof owner) => browser.request<WorkspaceDocument>('GET', '/api/documents/travel-policy')
    expect((await read(owner)).body.version).toBe(2)
    expect((await read(other)).body.version).toBe(1)
  })

  it('gives a forged or broken cookie a new owner', async () => {
    const owner = server.createBrowser()
    await owner.request('PATCH', '/api/documents/travel-policy', { content: 'Mine' })
    const cookie = owner.getCookie()!
    const [name, value] = cookie.split('=') as [string, string]
    const forged = [`${cookie}x`, `${name}=${value.split('.')[0]}`, `${name}=.`, `${name}=${value.split('.')[0]}.`, 'x']
    for (const one of forged) {
      const { body } = await server.createBrowser(one).request<WorkspaceDocument>('GET', '/api/documents/travel-policy')
      expect(body.content).not.toBe('Mine')
    }
    const response = await server.createBrowser().send('/api/documents')
    expect(response.headers.get('set-cookie')).toMatch(/; HttpOnly; SameSite=Lax$/)
  })

  it('forbids scripts that are not its own files', async () => {
    const { headers } = await server.createBrowser().send('/api/documents')
    const policy = headers.get('content-security-policy')!
    expect(policy).toContain("script-src 'self'")
    expect(policy).not.toMatch(/unsafe-(?:eval|inline)/)
    expect(headers.get('x-content-type-options')).toBe('nosniff')
  })
})

describe('documents', () => {
  it('are listed, read, written, changed and removed', async () => {
    const browser = server.createBrowser()
    const html = '<img src=x onerror=alert(1)> **bold**'
    const made = await browser.request<WorkspaceDocument>('POST', '/api/documents', { title: '<b>', content: html })
    expect(made).toMatchObject({ status: 201, body: { title: '<b>', content: html, version: 1 } })
    const path = `/api/documents/${made.body.id}`
    const read = await browser.send(path)
    expect(read.headers.get('content-type')).toContain('application/json')
    expect(await read.json()).toEqual(made.body)
    const { body } = await browser.request<{ documents: WorkspaceDocument[] }>('GET', '/api/documents')
    expect(body.documents).toHaveLength(7)
    expect(body.documents.every((document) => !('content' in document))).toBe(true)

    const changed = await browser.request('PATCH', path, { title: 'New', expectedVersion: 1 })
    expect(changed).toMatchObject({ status: 200, body: { title: 'New', content: html, version: 2 } })
    expect(await browser.request('PATCH', path, { title: 'Newer', expectedVersion: 1 })).toMatchObject({
      status: 409,
      body: { code: 'version_conflict', document: { title: 'New', version: 2 } },
    })
    expect((await browser.request('PATCH', path, { title: 'New' })).body.version).toBe(2)
    expect(await browser.request('PATCH', path, { title: 7 })).toMatchObject({ status: 400 })
    expect(await browser.request('POST', '/api/documents', { title: 'x' })).toMatchObject({ status: 400 })

    expect((await browser.request('DELETE', path)).status).toBe(204)
    expect((await browser.request('GET', path)).status).toBe(404)
    expect((await browser.request('DELETE', path)).status).toBe(404)
  })

  it('and runs may have ids that are names of Object.prototype', async () => {
    await server.close()
    const gate = createGate()
    const script = [say('Hi '), gate.opened, say('you'), ...finish('stop')]
    server = await startTestServer({ model: createScriptedModel([script]) })
    const browser = server.createBrowser()
    const ids = { runId: '__proto__', conversationId: 'constructor', assistantMessageId: 'toString' }
    const { frames } = await browser.start('Hello', ids)
    gate.open()
    const events = eventsOf(await readAll(frames))
    expect(events.at(-1)).toMatchObject({ type: 'run.completed', runId: '__proto__', sessionId: 'constructor' })
    const conversation = await browser.request<{ messages: unknown[] }>('GET', '/api/agent/conversations/constructor')
    expect(conversation.body.messages[1]).toMatchObject({ id: 'toString', content: 'Hi you' })
  })
})

describe('the page', () => {
  it('is served from its folder, and nothing beside it', async () => {
    await server.close()
    const folder = mkdtempSync(join(tmpdir(), 'run-server-'))
    writeFileSync(join(folder, 'index.html'), '<!doctype html><title>Page</title>')
    writeFileSync(join(folder, 'app.js'), 'export {}')
    try {
      server = await startTestServer({ staticFolder: folder })
      const get = async (path: string) => {
        const response = await fetch(server.url + path)
        const type = response.headers.get('content-type') ?? ''
        return { status: response.status, type, text: await response.text() }
      }
      expect(await get('/')).toMatchObject({ status: 200, text: expect.stringContaining('Page') })
      expect((await get('/app.js')).type).toContain('javascript')
      for (const path of ['/..%2f..%2fetc%2fpasswd', '/%2e%2e/%2e%2e/etc/passwd', '/nothing.js']) {
        expect((await get(path)).status).toBe(404)
      }
    } finally {
      rmSync(folder, { recursive: true })
    }
  })
})
