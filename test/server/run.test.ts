import type { AgentEvent } from 'redux-agent'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { expectSoundLog } from './support/expectSoundLog.ts'
import { eventsOf, nameOf, readAll } from './support/readFrames.ts'
import { startTestServer, type TestServer } from './support/startTestServer.ts'

interface Documents {
  documents: { id: string; title: string; excerpt: string; version: number; updatedAt: number }[]
}
interface WorkspaceDocument {
  id: string
  title: string
  content: string
  version: number
}

let server: TestServer
beforeEach(async () => {
  server = await startTestServer()
})
afterEach(() => server.close())

const prompt = 'Add a section about parking to the onboarding guide.'
const readGuide = async (browser: ReturnType<TestServer['createBrowser']>) =>
  (await browser.request<WorkspaceDocument>('GET', '/api/documents/onboarding-guide')).body
const textOf = (events: readonly AgentEvent[]) =>
  events.map((event) => (event.type === 'message.delta' ? String(event.payload.delta) : '')).join('')

describe('a run', () => {
  it('searches, reads, asks, and changes the document once it is approved', async () => {
    const browser = server.createBrowser()
    const { frames, first, read, runId, approval } = await browser.startToApproval(prompt, {
      runId: 'run-1',
      assistantMessageId: 'answer-1',
    })
    expect(first).toEqual({
      name: 'run-start',
      id: undefined,
      data: { type: 'run-start', runId: 'run-1', seq: 1, assistantMessageId: 'answer-1' },
    })
    const data = { toolName: 'document_update' }
    expect(approval).toMatchObject({ risk: 'medium', editable: true, version: 1, data })
    const { preview } = approval.data
    expect(preview).toMatchObject({ kind: 'document', documentId: 'onboarding-guide', title: 'Onboarding guide' })
    expect(preview.before).toBe((await readGuide(browser)).content)
    expect(preview.after).toContain('## Parking')

    const command = browser.commands(runId).create('approval.resolve', {
      approvalId: approval.approvalId,
      decision: 'approved',
    })
    const answer = await browser.command(command)
    expect(answer.status).toBe(200)
    expect(answer.body.applied).toBe(true)
    expect(answer.body.events.map(({ event }) => event.type)).toEqual(['approval.resolved'])
    expect(answer.body.appliedThroughSeq).toBe(answer.body.events[0]!.seq)

    const rest = await readAll(frames)
    const all = [...read, ...rest]
    expect(rest[rest.length - 1]!.name).toBe('end')
    expectSoundLog(all, 'run-1')
    expect(all.map(nameOf).filter((name) => !name.endsWith('delta'))).toEqual([
      ...['run.started', 'session.started', 'message.started', 'message.completed'],
      ...['reasoning.started', 'reasoning.completed', 'message.started', 'message.completed', 'tool.requested'],
      ...['tool.running', 'tool.completed'],
      ...['reasoning.started', 'reasoning.completed', 'tool.requested', 'tool.running', 'tool.completed'],
      ...['reasoning.started', 'reasoning.completed', 'message.started', 'message.completed', 'tool.requested'],
      ...['approval.requested', 'approval.resolved', 'tool.running', 'tool.completed'],
      ...['message.started', 'message.completed', 'run.completed', 'end'],
    ])
    const events = eventsOf(all)
    const answers = events.filter((event) => event.type === 'message.started' && event.payload.role === 'assistant')
    expect((answers[0] as { payload: { messageId: string } }).payload.messageId).toBe('answer-1')
    const end = events[events.length - 1]!
    expect(end.type === 'run.completed' && end.payload.usage).toMatchObject({ totalTokens: expect.any(Number) })
    const guide = await readGuide(browser)
    expect(guide).toMatchObject({ version: 2, content: preview.after })
  })

  it('streams the arguments of a tool call in pieces that make up what was previewed', async () => {
    const browser = server.createBrowser()
    const { read, approval } = await browser.startToApproval(prompt)
    const deltas = eventsOf(read).filter(
      (event) => event.type === 'tool.arguments_delta' && event.payload.toolCallId === approval.toolCallId,
    )
    const text = deltas.map((event) => (event.payload as { delta: string }).delta).join('')
    expect(JSON.parse(text)).toEqual(approval.data.arguments)
  })

  it('changes nothing when it is rejected, and says so', async () => {
    const browser = server.createBrowser()
    const { frames, read, runId, approval } = await browser.startToApproval(prompt)
    const answer = await browser.command(
      browser.commands(runId).create('approval.resolve', { approvalId: approval.approvalId, decision: 'rejected' }),
    )
    expect(answer.body.events.map(({ event }) => event.type)).toEqual(['approval.resolved', 'tool.cancelled'])
    const rest = await readAll(frames)
    expectSoundLog([...read, ...rest], runId)
    expect(textOf(eventsOf(rest))).toContain('Nothing was changed')
    expect(await readGuide(browser)).toMatchObject({ version: 1 })
  })

  it('makes the change that a person edited, not the one that was proposed', async () => {
    const browser = server.createBrowser()
    const { frames, read, runId, approval } = await browser.startToApproval(prompt)
    const content = '# Mine\n\nOnly this.\n'
    const answer = await browser.command(
      browser.commands(runId).create('approval.resolve', {
        approvalId: approval.approvalId,
        decision: 'modified',
        data: { arguments: { documentId: 'onboarding-guide', content, unknown: 1 }, more: true },
      }),
    )
    expect(answer.status).toBe(200)
    expect(answer.body.events[0]!.event.payload).toMatchObject({
      decision: 'modified',
      data: {
        toolName: 'document_update',
        arguments: { documentId: 'onboarding-guide', content },
        preview: { after: content, before: approval.data.preview.before },
      },
    })
    expectSoundLog([...read, ...(await readAll(frames))], runId)
    expect(await readGuide(browser)).toMatchObject({ version: 2, content })
  })

  it('writes a new document, and remembers a fact for the next conversation', async () => {
    const browser = server.createBrowser()
    const approve = async (text: string, conversationId: string) => {
      const { frames, runId, approval } = await browser.startToApproval(text, { conversationId })
      const commands = browser.commands(runId, conversationId)
      await browser.command(
        commands.create('approval.resolve', { approvalId: approval.approvalId, decision: 'approved' }),
      )
      return readAll(frames)
    }
    await approve('Write a new document about desk booking', 'c1')
    await approve('Remember that the Berlin office closes at 18:00', 'c2')
    const { documents } = (await browser.request<Documents>('GET', '/api/documents')).body
    expect(documents.map(({ title }) => title)).toContain('Desk booking')
    const { frames } = await browser.start('What do you remember?', { conversationId: 'c3' })
    expect(textOf(eventsOf(await readAll(frames)))).toContain('the Berlin office closes at 18:00')
  })

  it('leaves out reasoning where thinking is off, and writes nothing in plan mode', async () => {
    const browser = server.createBrowser()
    const { frames, runId } = await browser.start(prompt, { mode: 'plan', enableThinking: false })
    const read = await readAll(frames)
    expectSoundLog(read, runId)
    expect(read.map(nameOf).filter((name) => /reasoning|approval/.test(name))).toEqual([])
    expect(textOf(eventsOf(read))).toContain('In plan mode I change nothing')
  })

  it('answers a follow-up about the document that the conversation dealt with', async () => {
    const browser = server.createBrowser()
    await readAll((await browser.start('Summarise the travel policy')).frames)
    const { approval } = await browser.startToApproval('Shorten it')
    expect(approval.data.preview).toMatchObject({ documentId: 'travel-policy' })
    expect(approval.data.preview.after.length).toBeLessThan(approval.data.preview.before.length)
  })

  it('keeps the read model: conversations, their messages whole, and runs', async () => {
    const browser = server.createBrowser()
    const { frames, runId } = await browser.start('What do we say about refunds?', { assistantMessageId: 'a1' })
    const text = textOf(eventsOf(await readAll(frames)))
    const list = await browser.request<{ conversations: unknown[] }>('GET', '/api/agent/conversations')
    expect(list.body.conversations).toMatchObject([{ id: 'c1', title: 'What do we say about refunds?' }])
    const conversation = await browser.request<{ messages: { id: string; content: string }[]; runs: unknown[] }>(
      'GET',
      '/api/agent/conversations/c1',
    )
    expect(conversation.body.messages).toMatchObject([
      { runId, role: 'user', content: 'What do we say about refunds?', status: 'completed' },
      { runId, role: 'assistant', id: 'a1', status: 'completed' },
      { runId, role: 'assistant', status: 'completed' },
    ])
    expect(conversation.body.messages.slice(1).map(({ content }) => content).join('')).toBe(text)
    expect(text).toContain('> Yearly plans are refunded in full within 30 days')
    const run = await browser.request('GET', `/api/agent/runs/${runId}`)
    expect(run.body).toMatchObject({ runId, status: 'completed', conversationId: 'c1', assistantMessageId: 'a1' })
    expect(run.body).not.toHaveProperty('ownerId')
  })
})
