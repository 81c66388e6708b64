import { act, cleanup, fireEvent, render, screen, within } from '@testing-library/react'
import { Profiler } from 'react'
import { createAgentEventFactory, type AgentMessageState } from 'redux-agent'
import { AgentTimeline, ConnectionBadge, enUS, zhCN, type AgentTimelineProps } from 'redux-agent/react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createHarness } from './support/createHarness.tsx'
import { expectAccessible } from './support/expectAccessible.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => {
  cleanup()
  vi.useRealTimers()
})

async function setUp(props: Partial<AgentTimelineProps> = {}) {
  const harness = createHarness()
  const commits = { count: 0 }
  const wire = await harness.start()
  const view = render(
    <Profiler id="timeline" onRender={() => (commits.count += 1)}>
      <AgentTimeline agent={harness.agent} sessionId="s1" {...props} />
    </Profiler>,
    { wrapper: harness.wrapper },
  )
  const say = async (make: Parameters<typeof wire.sendAll>[0]) => {
    wire.sendAll(make)
    await harness.settle()
  }
  return { ...harness, ...view, wire, commits, say }
}

const rows = () => within(screen.getByRole('list')).getAllByRole('listitem')
const announced = () => document.querySelector('[aria-live="polite"]')!.textContent

/** One of each kind, all of them open. */
const everything: Parameters<Awaited<ReturnType<typeof setUp>>['say']>[0] = (create) => [
  create('message.started', { messageId: 'm', role: 'assistant', content: 'Looking' }),
  create('reasoning.started', { reasoningId: 'm' }),
  create('reasoning.delta', { reasoningId: 'm', delta: 'Let me think' }),
  create('tool.requested', { toolCallId: 'm', name: 'search', arguments: '{}' }),
  create('tool.running', { toolCallId: 'm' }),
  create('approval.requested', { approvalId: 'm', description: 'Write it', data: { a: 1 } }),
  create('task.created', { taskId: 'm', title: 'Step' }),
  create('task.updated', { taskId: 'm', progress: 0.25 }),
  create('artifact.created', { artifactId: 'm', name: 'notes.md', mediaType: 'text/markdown', content: 'x' }),
]

describe.each([
  ['English', enUS],
  ['Chinese', zhCN],
] as const)('AgentTimeline in %s', (_, locale) => {
  it('shows one of each kind, open and ended, and is accessible', async () => {
    const { say, container } = await setUp({ locale })
    expect(screen.getByText(locale.emptyTimeline)).toBeDefined()
    await say(everything)
    expect(screen.getByRole('list', { name: locale.timeline })).toBeDefined()
    await expectAccessible(container)
    await say((create) => [create('run.failed', { error: { message: 'No.' } })])
    expect(screen.getAllByText(locale.status.ended).length).toBeGreaterThan(4)
    await expectAccessible(container)
  })
})

describe('AgentTimeline', () => {
  it('shows all kinds in state order', async () => {
    const { say } = await setUp()
    await say(everything)
    expect(rows().map((row) => row.dataset.kind)).toEqual([
      'message',
      'reasoning',
      'tool',
      'approval',
      'task',
      'artifact',
    ])
    expect(screen.getByRole('article', { name: 'Assistant' }).textContent).toContain('Looking')
    expect(screen.getByRole<HTMLProgressElement>('progressbar', { name: 'Task Step' }).value).toBe(25)
    expect(screen.getByText('Let me think')).toBeDefined()
  })

  it('leaves reasoning out where it is not wanted, and hides what is redacted', async () => {
    const { say, wrapper, agent } = await setUp()
    await say((create) => [
      create('reasoning.started', { reasoningId: 'r', redacted: true }),
      create('reasoning.delta', { reasoningId: 'r', delta: 'secret' }),
    ])
    expect(document.body.textContent).not.toContain('secret')
    expect(screen.getByText(enUS.redactedReasoning)).toBeDefined()
    cleanup()
    render(<AgentTimeline agent={agent} sessionId="s1" includeReasoning={false} empty="Empty" />, { wrapper })
    expect(screen.getByText('Empty')).toBeDefined()
  })

  it('shows one run alone where it is asked to', async () => {
    const { agent, store, wrapper, start, settle } = createHarness()
    for (const text of ['One', 'Two']) {
      const wire = await start('s1')
      wire.send('message.started', { messageId: 'm', role: 'assistant', content: text })
      wire.send('run.completed', {})
      await settle()
    }
    const { rerender } = render(<AgentTimeline agent={agent} sessionId="s1" />, { wrapper })
    expect(rows()).toHaveLength(2)
    const runId = Object.keys(agent.selectors.selectAgentState(store.getState(), 's1').runs)[1]!
    rerender(<AgentTimeline agent={agent} sessionId="s1" runId={runId} />)
    expect(rows().map(({ textContent }) => textContent)).toEqual([expect.stringContaining('Two')])
  })

  it('keeps what a person opened, and the elements themselves, when an item and its run end', async () => {
    const { say } = await setUp()
    await say(everything)
    const before = rows()
    const reasoning = () => screen.getByRole('button', { name: /Reasoning/ })
    expect(reasoning().getAttribute('aria-expanded')).toBe('true')
    fireEvent.click(reasoning())
    const argumentsButton = () => screen.getByRole('button', { name: 'Arguments' })
    expect(argumentsButton().getAttribute('aria-expanded')).toBe('false')
    fireEvent.click(argumentsButton())
    await say((create) => [
      create('reasoning.completed', { reasoningId: 'm' }),
      create('tool.completed', { toolCallId: 'm', result: 1 }),
    ])
    await say((create) => [create('run.completed', {})])
    expect(rows()).toEqual(before)
    expect(rows().every((row, index) => row === before[index])).toBe(true)
    expect(reasoning().getAttribute('aria-expanded')).toBe('false')
    expect(argumentsButton().getAttribute('aria-expanded')).toBe('true')
  })

  it('folds reasoning once it has streamed in, unless the person opened it', async () => {
    const { say } = await setUp()
    await say((create) => [
      create('reasoning.started', { reasoningId: 'a' }),
      create('reasoning.started', { reasoningId: 'b' }),
    ])
    const [first, second] = screen.getAllByRole('button', { name: /Reasoning/ })
    fireEvent.click(second!)
    fireEvent.click(second!)
    const areOpen = () => [first, second].map((button) => button!.getAttribute('aria-expanded'))
    expect(areOpen()).toEqual(['true', 'true'])
    await say((create) => [
      create('reasoning.completed', { reasoningId: 'a' }),
      create('reasoning.completed', { reasoningId: 'b' }),
    ])
    expect(areOpen()).toEqual(['false', 'true'])
  })

  it.each([
    [0.4, 40],
    [1, 100],
    [1.5, 2],
    [40, 40],
    [250, 100],
    [-1, 0],
  ])('shows a progress of %s as %s percent', async (progress, percent) => {
    const { say } = await setUp()
    await say((create) => [
      create('task.created', { taskId: 't', title: 'Step' }),
      create('task.updated', { taskId: 't', progress }),
    ])
    expect(screen.getByRole<HTMLProgressElement>('progressbar').value).toBe(percent)
  })

  it('has no spinner and no button of a run that is over', async () => {
    const { say, container } = await setUp()
    await say(everything)
    expect(container.querySelectorAll('svg[data-status=running], svg[data-status=streaming]')).not.toHaveLength(0)
    await say((create) => [create('run.cancelled', {})])
    expect(container.querySelectorAll('svg[data-status=running], svg[data-status=streaming]')).toHaveLength(0)
    expect(screen.queryByRole('button', { name: 'Approve' })).toBeNull()
    expect(container.querySelector('[data-status=waiting]')).toBeNull()
  })

  it('shows what was let go of here as stopped, and still takes an answer', async () => {
    const { say, wire, agent, store, settle } = await setUp()
    await say(everything)
    act(() => store.dispatch(agent.actions.abortRun({ runId: wire.runId })))
    await settle()
    expect(screen.getAllByText('Not followed').length).toBeGreaterThan(3)
    expect(screen.getByRole('button', { name: 'Approve' })).toBeDefined()
  })

  it('says what has finished and what needs the person, and nothing that streams', async () => {
    const { say } = await setUp()
    await say((create) => [
      create('message.started', { messageId: 'u', role: 'user', content: 'Mine' }),
      create('message.completed', { messageId: 'u' }),
      create('message.started', { messageId: 'm', role: 'assistant' }),
      create('message.delta', { messageId: 'm', delta: 'Half' }),
      create('tool.requested', { toolCallId: 't', name: 'search' }),
    ])
    expect(announced()).toBe('')
    await say((create) => [
      create('message.delta', { messageId: 'm', delta: ' and half' }),
      create('message.completed', { messageId: 'm' }),
    ])
    expect(announced()).toBe('Assistant: Half and half')
    await say((create) => [
      create('tool.failed', { toolCallId: 't', error: { message: 'No.' } }),
      create('approval.requested', { approvalId: 'p', description: 'Write it' }),
    ])
    expect(announced()).toBe('Tool call search: Failed Approval needed: Write it')
    await say((create) => [
      create('approval.resolved', { approvalId: 'p', decision: 'rejected' }),
      create('run.completed', {}),
    ])
    expect(announced()).toBe('Approval: Rejected')
  })

  it('does not read out what was there before', async () => {
    const { say, agent, wrapper } = await setUp()
    await say((create) => [
      create('message.started', { messageId: 'm', role: 'assistant', content: 'Old' }),
      create('message.completed', { messageId: 'm' }),
    ])
    cleanup()
    render(<AgentTimeline agent={agent} sessionId="s1" />, { wrapper })
    expect(rows()).toHaveLength(1)
    expect(announced()).toBe('')
  })

  it('reads out what asks in a run that is not the latest, and was seen first as it asked', async () => {
    const { agent, store, scripted, settle, wrapper } = createHarness()
    render(<AgentTimeline agent={agent} sessionId="s1" />, { wrapper })
    await act(async () => {
      for (const text of ['one', 'two']) {
        store.dispatch(agent.actions.startRun({ sessionId: 's1', provider: 'scripted', input: { text } }))
      }
      await vi.advanceTimersByTimeAsync(60)
    })
    const [older] = scripted.wires
    older!.sendAll((create) => [create('approval.requested', { approvalId: 'p', description: 'Publish A' })])
    await settle()
    expect(announced()).toBe('Approval needed: Publish A')
  })

  it('reads out what asks, and what has finished, in a run that comes without a wire', async () => {
    const { agent, store, settle, wrapper } = createHarness()
    render(<AgentTimeline agent={agent} sessionId="s1" />, { wrapper })
    const { create } = createAgentEventFactory({ runId: 'alone', sessionId: 's1', initialSequence: 0, now: () => 1 })
    const events = [
      create('run.started', {}),
      create('message.started', { messageId: 'm', role: 'assistant' }),
      create('message.completed', { messageId: 'm', content: 'May I?' }),
      create('approval.requested', { approvalId: 'p', description: 'Publish' }),
    ]
    act(() => void store.dispatch(agent.events.eventsReceived({ sessionId: 's1', events }, 1)))
    await settle()
    expect(announced()).toBe('Assistant: May I? Approval needed: Publish')
  })

  it('gives way to the app’s own views', async () => {
    const { say } = await setUp({
      renderMessage: (message, { status }) => <i>{`${String(message.content)} (${status})`}</i>,
      renderToolCall: (toolCall) => <i>{`my ${toolCall.name}`}</i>,
      renderApprovalData: ({ value }) => <i>{`my ${JSON.stringify(value)}`}</i>,
      renderArtifact: (artifact) => <i>{`my ${artifact.name}`}</i>,
    })
    await say(everything)
    for (const text of ['Looking (streaming)', 'my search', 'my {"a":1}', 'my notes.md']) {
      expect(screen.getByText(text).tagName).toBe('I')
    }
    expect(screen.getByRole('button', { name: 'Approve' })).toBeDefined()
  })

  it('shows parts of messages, and loads nothing from elsewhere by itself', async () => {
    const { say, container } = await setUp()
    await say((create) => [
      create('message.started', {
        messageId: 'm',
        role: 'assistant',
        content: [
          { type: 'text', text: 'See' },
          { type: 'image', url: 'https://elsewhere.example/pixel.png', mediaType: 'image/png' },
          { type: 'image', url: 'data:image/png;base64,AAAA', mediaType: 'image/png' },
          { type: 'file', url: 'javascript:alert(1)', name: 'evil.pdf' },
          { type: 'vendor.chart', data: {} },
        ],
      }),
    ])
    expect(container.querySelectorAll('img')).toHaveLength(1)
    const links = screen.getAllByRole<HTMLAnchorElement>('link')
    expect(links.map(({ href }) => href)).toEqual(['https://elsewhere.example/pixel.png'])
    expect(links[0]!.rel).toBe('noopener noreferrer')
    expect(screen.getByText('Attachment: evil.pdf').tagName).toBe('SPAN')
    expect(screen.getByText('Attachment: vendor.chart')).toBeDefined()
  })

  it.each(['__proto__', 'constructor', 'toString'])('takes %s as an id of everything', async (id) => {
    const { agent, wrapper, start, settle } = createHarness()
    const wire = await start(id)
    wire.send('message.started', { messageId: id, role: id, content: 'Text' })
    wire.send('tool.requested', { toolCallId: id, name: id })
    wire.send('approval.requested', { approvalId: id, risk: id })
    await settle()
    render(<AgentTimeline agent={agent} sessionId={id} />, { wrapper })
    expect(rows()).toHaveLength(3)
    expect(screen.getByRole('article', { name: id })).toBeDefined()
    expect(screen.getByText(id, { selector: '.agent-tag' })).toBeDefined()
  })
})

describe('a timeline of 200 messages', () => {
  it('renders the last one alone for its deltas, in one commit a batch', async () => {
    const renders = new Map<string, number>()
    const renderMessage = (message: AgentMessageState) => {
      renders.set(message.id, (renders.get(message.id) ?? 0) + 1)
      return String(message.content)
    }
    let lists = 0
    const locale = Object.defineProperty({ ...enUS }, 'timeline', { get: () => `list ${(lists += 1)}` })
    const { say, wire, settle, commits, container } = await setUp({ renderMessage, locale })
    await say((create) =>
      Array.from({ length: 200 }, (_, index) => [
        create('message.started', { messageId: `m${index}`, role: 'assistant', content: `Text ${index}` }),
        ...(index < 150 ? [create('message.completed', { messageId: `m${index}` })] : []),
      ]).flat(),
    )
    expect(rows()).toHaveLength(200)
    renders.clear()
    commits.count = 0
    lists = 0
    for (let batch = 0; batch < 20; batch += 1) {
      wire.sendAll((create) =>
        Array.from({ length: 50 }, () => create('message.delta', { messageId: 'm199', delta: '.' })),
      )
      await settle()
    }
    expect([...renders]).toEqual([['m199', 20]])
    expect(commits.count).toBe(20)
    expect(lists).toBe(0)
    expect(container.querySelectorAll('li')[199]!.textContent).toContain(`Text 199${'.'.repeat(1000)}`)
  })
})

describe('a timeline of 200 finished messages', () => {
  it('subscribes for its list and not for its rows', async () => {
    const { agent, store, wrapper, start, settle } = createHarness()
    const wire = await start()
    wire.sendAll((create) =>
      Array.from({ length: 200 }, (_, index) => [
        create('message.started', { messageId: `m${index}`, role: 'assistant' }),
        create('message.completed', { messageId: `m${index}` }),
      ]).flat(),
    )
    await settle()
    const subscribe = vi.spyOn(store, 'subscribe')
    render(<AgentTimeline agent={agent} sessionId="s1" />, { wrapper })
    expect(rows()).toHaveLength(200)
    expect(subscribe.mock.calls.length).toBeLessThan(5)
  })
})

describe('ConnectionBadge', () => {
  it('says where the wire stands, and reads out nothing that is as it should be', async () => {
    const { agent, wrapper, start, settle } = createHarness()
    render(<ConnectionBadge agent={agent} sessionId="s1" />, { wrapper })
    const badge = () => screen.getByRole('status')
    const isQuiet = () => badge().getAttribute('aria-live') === 'off'
    expect([badge().textContent, isQuiet()]).toEqual(['Idle', true])
    const wire = await start()
    expect([badge().textContent, isQuiet()]).toEqual(['Connecting', true])
    wire.send('message.started', { messageId: 'm', role: 'assistant' })
    await settle()
    expect([badge().textContent, isQuiet()]).toEqual(['Connected', true])
  })

  it('reads out that the wire is lost', async () => {
    const { agent, wrapper, start, settle } = createHarness()
    render(<ConnectionBadge agent={agent} sessionId="s1" />, { wrapper })
    const wire = await start()
    wire.break(new Error('Cut.'))
    await settle()
    expect(screen.getByRole('status').textContent).toBe('Connection failed')
    expect(screen.getByRole('status').getAttribute('aria-live')).toBe('polite')
  })
})
