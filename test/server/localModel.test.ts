import OpenAI from 'openai'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createLocalModelApp } from '../../demo/server/model/createLocalModelApp.ts'
import { readIntent } from '../../demo/server/model/readIntent.ts'
import { createManualTimers } from './support/createManualTimers.ts'
import { expectSoundLog } from './support/expectSoundLog.ts'
import { envelopeOf, eventsOf, readAll, readUntil } from './support/readFrames.ts'
import { startTestServer, type TestServer } from './support/startTestServer.ts'

describe('the local model', () => {
  it.each<[string, object]>([
    [
      'Add a section about parking to the onboarding guide.',
      { kind: 'add', topic: 'parking', target: 'the onboarding guide' },
    ],
    [
      'Could you please add a short paragraph on visas to our travel policy?',
      { kind: 'add', topic: 'visas', target: 'our travel policy' },
    ],
    [
      'add the lunch rules to the onboarding guide',
      { kind: 'add', topic: 'the lunch rules', target: 'the onboarding guide' },
    ],
    ['Shorten the travel policy', { kind: 'shorten', target: 'the travel policy' }],
    ['Make it shorter, please.', { kind: 'shorten', target: 'it' }],
    ['Rename the pricing FAQ to "Prices and plans"', { kind: 'rename', title: 'Prices and plans' }],
    ['Change the title of the pricing FAQ to Prices', { kind: 'rename', target: 'the pricing FAQ', title: 'Prices' }],
    [
      'Replace "160 euros" with "180 euros" in the travel policy',
      { kind: 'replace', from: '160 euros', to: '180 euros', target: 'the travel policy' },
    ],
    [
      'In the travel policy, change "45 euros" to "50 euros"',
      { kind: 'replace', from: '45 euros', to: '50 euros', target: 'the travel policy' },
    ],
    ['Write a new document about desk booking', { kind: 'write', topic: 'desk booking' }],
    ['Create a page called "House rules"', { kind: 'write', topic: 'House rules' }],
    ['Remember that I work from Lisbon', { kind: 'remember', text: 'I work from Lisbon' }],
    ['What do you remember?', { kind: 'recall' }],
    ['Publish the release notes', { kind: 'publish', target: 'the release notes' }],
    ['Ask me which limit to change in the travel policy', { kind: 'choose', target: 'the travel policy' }],
    ['Please ask me which amount to raise.', { kind: 'choose', target: '' }],
    ['问我要改差旅政策里的哪个限额', { kind: 'choose', target: '差旅政策' }],
    ['请问我要改哪个限额', { kind: 'choose', target: '' }],
    ['List all documents', { kind: 'list' }],
    ['Which documents are there?', { kind: 'list' }],
    [
      'Compare the travel policy with the pricing FAQ',
      { kind: 'compare', one: 'the travel policy', other: 'the pricing FAQ' },
    ],
    ['What do we say about refunds?', { kind: 'ask' }],
    ['Can we get a refund?', { kind: 'ask' }],
    ['Can you tell me who is on call?', { kind: 'ask' }],
    ['Summarise the incident runbook', { kind: 'ask' }],
    ['Refunds?', { kind: 'ask', question: 'Refunds?' }],
    ['给入职指南加一节关于停车的内容', { kind: 'add', target: '入职指南', topic: '停车' }],
    ['请在差旅政策里添加一段关于签证的说明', { kind: 'add', target: '差旅政策', topic: '签证' }],
    ['请精简差旅政策', { kind: 'shorten', target: '差旅政策' }],
    ['把差旅政策精简一下', { kind: 'shorten', target: '差旅政策' }],
    ['把定价常见问题重命名为“价格与套餐”', { kind: 'rename', target: '定价常见问题', title: '价格与套餐' }],
    ['把差旅政策里的“160 euros”改成“180 euros”', { kind: 'replace', target: '差旅政策', from: '160 euros', to: '180 euros' }],
    ['写一篇关于工位预订的文档', { kind: 'write', topic: '工位预订' }],
    ['记住我在里斯本工作', { kind: 'remember', text: '我在里斯本工作' }],
    ['你还记得什么？', { kind: 'recall' }],
    ['发布发布说明', { kind: 'publish', target: '发布说明' }],
    ['有哪些文档？', { kind: 'list' }],
    ['比较差旅政策和定价常见问题', { kind: 'compare', one: '差旅政策', other: '定价常见问题' }],
    ['我们的退款规定是什么？', { kind: 'ask' }],
    ['总结一下差旅政策', { kind: 'ask' }],
    ['Hello there', { kind: 'unknown' }],
    ['你好', { kind: 'unknown' }],
    ['', { kind: 'unknown' }],
  ])('understands "%s"', (prompt, intent) => {
    expect(readIntent(prompt)).toMatchObject(intent)
  })

  const tools = ['document_search', 'document_read', 'document_update'].map((name) => ({
    type: 'function' as const,
    function: { name, parameters: {} },
  }))
  const ask = async (messages: OpenAI.ChatCompletionMessageParam[], more: object = {}) => {
    const app = createLocalModelApp({ tokenDelayMs: 0, now: () => 0 })
    const fetch = async (input: string | URL | Request, init?: RequestInit) => app.request(input as string, init)
    const client = new OpenAI({ apiKey: 'local', baseURL: 'http://model.test/v1', fetch })
    const chunks: OpenAI.ChatCompletionChunk[] = []
    const stream = await client.chat.completions.create({ model: 'local', messages, stream: true, tools, ...more })
    for await (const chunk of stream) chunks.push(chunk)
    return chunks
  }

  const call = (id: string, name: string, input: object) => ({
    role: 'assistant' as const,
    content: null,
    tool_calls: [{ id, type: 'function' as const, function: { name, arguments: JSON.stringify(input) } }],
  })
  const answer = (id: string, content: object) => ({
    role: 'tool' as const,
    tool_call_id: id,
    content: JSON.stringify(content),
  })
  const argumentsOf = (chunks: OpenAI.ChatCompletionChunk[]) =>
    chunks.map(({ choices }) => choices[0]?.delta.tool_calls?.[0]?.function?.arguments ?? '').join('')

  it('streams reasoning, text and arguments token by token, ends with its usage, and keeps nothing', async () => {
    const messages = [{ role: 'user' as const, content: 'Shorten the travel policy' }]
    const chunks = await ask(messages, { enable_thinking: true })
    const deltas = chunks.flatMap(({ choices }) => choices.map(({ delta }) => delta as Record<string, unknown>))
    expect(deltas.filter((delta) => 'reasoning_content' in delta).length).toBeGreaterThan(5)
    expect(deltas.filter((delta) => typeof delta.content === 'string').length).toBeGreaterThan(3)
    expect(deltas.filter((delta) => 'tool_calls' in delta).length).toBeGreaterThan(3)
    expect(chunks.at(-2)!.choices[0]!.finish_reason).toBe('tool_calls')
    expect(chunks.at(-1)).toMatchObject({ choices: [], usage: { completion_tokens: deltas.length - 1 } })
    expect(await ask(messages, { enable_thinking: true })).toEqual(chunks)
    const silent = await ask(messages)
    expect(JSON.stringify(silent)).not.toContain('reasoning_content')
  })

  it('goes on from whatever the messages say has happened', async () => {
    const messages: OpenAI.ChatCompletionMessageParam[] = [
      { role: 'user', content: 'Shorten the travel policy' },
      call('1', 'document_search', { query: 'travel policy' }),
      answer('1', { ok: true, result: { documents: [{ id: 'tp', title: 'Travel policy' }] } }),
      call('2', 'document_read', { documentId: 'tp' }),
      answer('2', { ok: true, result: { documentId: 'tp', title: 'Travel policy', content: '# T\n\nOne. Two.\n' } }),
    ]
    const textOf = (chunks: OpenAI.ChatCompletionChunk[]) =>
      chunks.map(({ choices }) => choices[0]?.delta.content ?? '').join('')
    expect(JSON.parse(argumentsOf(await ask(messages)))).toEqual({ documentId: 'tp', content: '# T\n\nOne.\n' })
    const proposed = [...messages, call('3', 'document_update', { documentId: 'tp', content: 'x' })]
    expect(textOf(await ask([...proposed, answer('3', { status: 'rejected' })]))).toContain('Nothing was changed')
    const done = await ask([...proposed, answer('3', { ok: true, result: {} })])
    expect(textOf(done)).toContain('"Travel policy" is shorter')
    const error = { code: 'document_changed', message: 'It was changed.' }
    expect(textOf(await ask([...proposed, answer('3', { error })]))).toContain('It was changed. Nothing was changed.')
    const broken = [...proposed, { role: 'tool' as const, tool_call_id: '3', content: 'not JSON' }]
    expect(textOf(await ask(broken))).toContain('did not work')
  })

  it.each([
    ['T: 5 days', '15 days at most, 5 days at best.', '15 days at most, 7 days at best.'],
    ['T: 5 days', '15 days.\n\n5 days.', '15 days.\n\n7 days.'],
    ['15 days', '5 days at best, 15 days at most.', '5 days at best, 7 days at most.'],
  ])('changes the limit that "%s" names, and none that ends like it, in "%s"', async (which, before, after) => {
    const content = `# T\n\n${before}\n`
    const messages: OpenAI.ChatCompletionMessageParam[] = [
      { role: 'user', content: 'Ask me which limit to change in the travel policy' },
      call('1', 'document_search', { query: 'travel policy' }),
      answer('1', { ok: true, result: { documents: [{ id: 'tp', title: 'Travel policy' }] } }),
      call('2', 'document_read', { documentId: 'tp' }),
      answer('2', { ok: true, result: { documentId: 'tp', title: 'Travel policy', content } }),
      call('3', 'ask_user', { question: 'Which?' }),
      answer('3', { ok: true, result: { answer: which } }),
      call('4', 'ask_user', { question: 'What instead?' }),
      answer('4', { ok: true, result: { answer: '7' } }),
    ]
    expect(JSON.parse(argumentsOf(await ask(messages)))).toEqual({ documentId: 'tp', content: `# T\n\n${after}\n` })
  })

  it('waits its delay before each token, and refuses what is no streamed request', async () => {
    const timers = createManualTimers()
    const app = createLocalModelApp({ tokenDelayMs: 15, setTimer: timers.setTimer })
    const post = (body: string) =>
      app.request('/v1/chat/completions', { method: 'POST', headers: { 'content-type': 'application/json' }, body })
    const messages = [{ role: 'user', content: 'Hello' }]
    const response = await post(JSON.stringify({ model: 'm', messages, stream: true }))
    const reader = response.body!.getReader()
    const first = reader.read()
    let isThere = false
    void first.then(() => (isThere = true))
    await timers.whenSet(15)
    expect(isThere).toBe(false)
    timers.advance(15)
    expect(new TextDecoder().decode((await first).value)).toMatch(/^data: \{.*\}\n\n$/)
    await reader.cancel()
    for (const body of ['{', '{}', JSON.stringify({ model: 'm', messages, stream: false })]) {
      expect((await post(body)).status).toBe(400)
    }
  })
})

describe('a conversation with the local model', () => {
  let server: TestServer
  beforeEach(async () => {
    server = await startTestServer()
  })
  afterEach(() => server.close())

  const ask = async (prompt: string, more: Record<string, unknown> = {}) => {
    const { frames, runId } = await server.createBrowser().start(prompt, more)
    const read = await readAll(frames)
    expectSoundLog(read, runId)
    const events = eventsOf(read)
    expect(events.at(-1)!.type).toBe('run.completed')
    return events.map((event) => (event.type === 'message.delta' ? String(event.payload.delta) : '')).join('')
  }

  it.each([
    ['What do we say about refunds?', '> Yearly plans are refunded in full within 30 days'],
    ['How much is a hotel allowed to cost?', '160 euros a night'],
    ['How many days do we have to hand in expenses?', 'within 30 days of coming back'],
    ['Summarise the incident runbook', 'Acknowledge the page within five minutes.'],
    ['What is known about unicorns?', 'None of the documents'],
    ['List the documents', '- Pricing FAQ'],
    ['Compare the travel policy with the pricing FAQ', '**Pricing FAQ** has'],
    ['Replace "999 euros" with "1 euro" in the travel policy', 'does not contain "999 euros"'],
    ['Shorten the canteen menu', 'I found no document'],
    ['Shorten it', 'Which document do you mean?'],
    ['Ask me which limit to change', 'Which document do you mean?'],
    ['Ask me which limit to change in the release notes', 'sets no limit'],
    ['What do you remember?', 'nothing yet'],
    ['Hello', 'I understand only some requests'],
    ['我们的退款规定是什么？', 'Yearly plans are refunded in full'],
    ['总结一下差旅政策', '“Travel policy”的要点'],
    ['你好', '我是内置在这个演示里的小模型'],
  ])('answers "%s"', async (prompt, answer) => {
    expect(await ask(prompt)).toContain(answer)
  })

  it.each<[prompt: string, tool: string, change: object]>([
    ['Rename the pricing FAQ to "Prices"', 'document_update', { title: 'Prices', documentId: 'pricing-faq' }],
    ['Replace "160 euros" with "180 euros" in the travel policy', 'document_update', { documentId: 'travel-policy' }],
    ['Write a new document about desk booking', 'document_write', { title: 'Desk booking' }],
    ['Remember that I work from Lisbon', 'memory_write', { text: 'I work from Lisbon' }],
    ['Publish the release notes', 'publish_document', { documentId: 'release-notes-4-2' }],
    ['给入职指南加一节关于停车的内容', 'document_update', { documentId: 'onboarding-guide' }],
    ['写一篇关于工位预订的文档', 'document_write', { title: '工位预订' }],
    ['发布发布说明', 'publish_document', { documentId: 'release-notes-4-2' }],
  ])('proposes what "%s" asks for', async (prompt, toolName, input) => {
    const { approval } = await server.createBrowser().startToApproval(prompt)
    expect(approval.data).toMatchObject({ toolName, arguments: input })
    expect(approval.data.preview.after).not.toBe(approval.data.preview.before)
  })

  it('works on the open document when it is told "this"', async () => {
    const more = { currentDocument: { id: 'pricing-faq', title: 'whatever' } }
    const prompt = 'Add a section about invoices to this document'
    const { approval } = await server.createBrowser().startToApproval(prompt, more)
    expect(approval.data.preview).toMatchObject({ documentId: 'pricing-faq', title: 'Pricing FAQ' })
    expect(approval.data.preview.after).toContain('## Invoices')
  })

  const asking = 'Ask me which limit to change in the travel policy'

  /** Starts a run that asks, gives each answer in turn, and reads on to what is asked next. */
  const answer = async (prompt: string, answers: readonly (string | undefined)[]) => {
    const browser = server.createBrowser()
    const { frames, runId, read, approval } = await browser.startToApproval(prompt)
    const asked: Record<string, unknown>[] = [approval.data]
    let { approvalId } = approval
    for (const [index, said] of answers.entries()) {
      const decided =
        said === undefined
          ? ({ decision: 'rejected' } as const)
          : ({ decision: 'modified', data: { answer: said } } as const)
      const taken = await browser.command(
        browser.commands(runId).create('approval.resolve', { approvalId, ...decided }),
      )
      expect(taken.status).toBe(200)
      if (index === answers.length - 1) break
      const next = await readUntil(frames, 'approval.requested')
      read.push(...next)
      const payload = envelopeOf(next.at(-1)!).event.payload as typeof approval
      asked.push(payload.data)
      approvalId = payload.approvalId
    }
    return { asked, frames, read, runId }
  }

  it.each([
    [asking, 'Hotels: 160 euros', '175', 'The limit is 175 euros a night'],
    [asking, 'the 45 euros', '50 dollars', 'You get 50 dollars a day'],
    ['问我要改差旅政策里的哪个限额', 'meals', '50 欧元', 'You get 50 欧元 a day'],
  ])('asks, as "%s" wants, takes "%s" and "%s", and proposes that', async (prompt, which, instead, text) => {
    const { asked, frames } = await answer(prompt, [which, instead])
    const proposed = envelopeOf((await readUntil(frames, 'approval.requested')).at(-1)!).event.payload
    const options = ['Booking: 14 days', 'Hotels: 160 euros', 'Hotels: 220 euros', 'Meals: 45 euros', 'Expenses: 30 days']
    expect(asked).toMatchObject([{ isQuestion: true, options }, { isQuestion: true }])
    expect(asked[1]).not.toHaveProperty('options')
    const { toolName, preview } = (proposed as typeof proposed & { data: { toolName: string; preview: { after: string } } }).data
    expect(toolName).toBe('document_update')
    expect(preview.after).toContain(text)
    await frames.return()
  })

  it.each([
    ['is declined', [undefined], 'Nothing was changed'],
    ['is declined the second time', ['Hotels: 160 euros', undefined], 'Nothing was changed'],
    ['gets an answer that fits nothing', ['the moon'], 'I do not see which limit'],
  ])('changes nothing where its question %s', async (_title, answers, said) => {
    const { frames, read, runId } = await answer(asking, answers)
    const log = [...read, ...(await readAll(frames))]
    expectSoundLog(log, runId)
    const text = eventsOf(log).map((event) => (event.type === 'message.delta' ? event.payload.delta : '')).join('')
    expect(text).toContain(said)
  })

  it('takes the words of a section from the person', async () => {
    const prompt = 'Add a section about parking to the onboarding guide: There are ten spaces behind the house.'
    const { approval } = await server.createBrowser().startToApproval(prompt)
    expect(approval.data.preview.after).toMatch(/## Parking\n\nThere are ten spaces behind the house\n$/)
  })
})
