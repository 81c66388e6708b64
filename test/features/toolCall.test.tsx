import { act, cleanup, fireEvent, render, screen, within } from '@testing-library/react'
import { AgentModuleError, createAgentEventFactory, replayAgentEvents, selectAgentTimeline } from 'redux-agent'
import type { AgentCommandType } from 'redux-agent'
import { AgentTimeline, enUS, ToolCall, zhCN, type AgentLocale } from 'redux-agent/react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createHarness } from './support/createHarness.tsx'
import { expectAccessible } from './support/expectAccessible.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => {
  cleanup()
  vi.useRealTimers()
})

async function setUp(
  options: {
    commands?: readonly AgentCommandType[]
    locale?: AgentLocale
    onRegenerate?: (runId: string) => void
  } = {},
) {
  const { onRegenerate } = options
  const harness = createHarness(options)
  const wire = await harness.start()
  wire.send('tool.requested', { toolCallId: 't1', name: 'search' })
  await harness.settle()
  const { container } = render(
    <ToolCall
      agent={harness.agent}
      runId={wire.runId}
      toolCallId="t1"
      locale={options.locale}
      onRegenerate={onRegenerate}
    />,
    { wrapper: harness.wrapper },
  )
  async function fail(retryable = true) {
    wire.send('tool.failed', { toolCallId: 't1', error: { message: 'The store is busy.', code: 'busy', retryable } })
    await harness.settle()
  }
  return { ...harness, wire, container, fail }
}

const card = () => screen.getByRole('group', { name: 'Tool call search' })
const button = (name: string) => within(card()).getByRole('button', { name })
const queryButton = (name: string) => screen.queryByRole('button', { name })

describe.each([
  ['English', enUS],
  ['Chinese', zhCN],
] as const)('ToolCall in %s', (_, locale) => {
  it('names the call, its status and its parts, and is accessible', async () => {
    const { wire, settle, container } = await setUp({ locale })
    wire.send('tool.arguments_delta', { toolCallId: 't1', delta: '{"q":1}' })
    wire.send('tool.completed', { toolCallId: 't1', result: [1] })
    await settle()
    const group = screen.getByRole('group', { name: locale.tool.label('search') })
    expect(within(group).getByText(locale.status.completed)).toBeDefined()
    fireEvent.click(within(group).getByRole('button', { name: locale.tool.arguments }))
    fireEvent.click(within(group).getByRole('button', { name: locale.tool.result }))
    await expectAccessible(container)
  })
})

describe.each([
  ['English', enUS],
  ['Chinese', zhCN],
] as const)('ToolCall of a run that has ended, in %s', (_, locale) => {
  it('offers to regenerate instead of a retry, where the page can', async () => {
    const onRegenerate = vi.fn<(runId: string) => void>()
    const { fail, wire, settle } = await setUp({ locale, onRegenerate })
    await fail()
    expect(queryButton(locale.tool.regenerate)).toBeNull()
    expect(queryButton(locale.tool.retry)).not.toBeNull()
    wire.send('run.completed', {})
    await settle()
    expect(queryButton(locale.tool.retry)).toBeNull()
    fireEvent.click(screen.getByRole('button', { name: locale.tool.regenerate }))
    expect(onRegenerate.mock.calls).toEqual([[wire.runId]])
  })

  it('offers nothing of the kind for a call that was tried again', async () => {
    const { fail, wire, settle } = await setUp({ locale, onRegenerate: () => undefined })
    await fail()
    wire.send('tool.requested', { toolCallId: 't2', name: 'search', attempt: 2, retryOf: 't1' })
    wire.send('run.completed', {})
    await settle()
    expect(queryButton(locale.tool.regenerate)).toBeNull()
    expect(screen.getByText(locale.tool.retried)).toBeDefined()
  })
})

describe('ToolCall', () => {
  it('renders nothing where there is no such call', async () => {
    const { agent, wrapper, start } = createHarness()
    const wire = await start()
    const { container } = render(<ToolCall agent={agent} runId={wire.runId} toolCallId="__proto__" />, { wrapper })
    expect(container.innerHTML).toBe('')
  })

  it('shows its arguments as they stream in, and indented once they are whole', async () => {
    const { wire, settle } = await setUp()
    expect(within(card()).getByText('Pending')).toBeDefined()
    expect(queryButton('Arguments')).toBeNull()
    wire.send('tool.arguments_delta', { toolCallId: 't1', delta: '{"query":"gu' })
    await settle()
    expect(button('Arguments').getAttribute('aria-expanded')).toBe('true')
    const shown = () => within(card()).getByRole('group', { name: 'Arguments' }).textContent
    expect(shown()).toBe('{"query":"gu')
    wire.send('tool.arguments_delta', { toolCallId: 't1', delta: 'ide"}' })
    await settle()
    expect(shown()).toBe('{\n  "query": "guide"\n}')
    wire.send('tool.running', { toolCallId: 't1' })
    await settle()
    expect(within(card()).getByText('Running')).toBeDefined()
    expect(button('Arguments').getAttribute('aria-expanded')).toBe('false')
  })

  it('folds its arguments once an approval shows the same, unless the person opened them', async () => {
    const { wire, settle } = await setUp()
    const isOpen = () => button('Arguments').getAttribute('aria-expanded') === 'true'
    wire.send('tool.arguments_delta', { toolCallId: 't1', delta: '{}' })
    wire.send('approval.requested', { approvalId: 'p', toolCallId: 'another' })
    await settle()
    expect(isOpen()).toBe(true)
    wire.send('approval.requested', { approvalId: 'q', toolCallId: 't1' })
    await settle()
    expect(isOpen()).toBe(false)
    fireEvent.click(button('Arguments'))
    wire.send('tool.running', { toolCallId: 't1' })
    wire.send('tool.completed', { toolCallId: 't1' })
    await settle()
    expect(isOpen()).toBe(true)
  })

  it('says in the locale’s words what a tool does and why it was cancelled', async () => {
    const locale = { ...enUS, tool: { ...enUS.tool, names: { search: 'Look around' } } }
    const { wire, settle } = await setUp({ locale })
    const group = screen.getByRole('group', { name: 'Tool call Look around' })
    expect(within(group).getByText('Look around').title).toBe('search')
    wire.send('tool.cancelled', { toolCallId: 't1', reason: 'rejected' })
    await settle()
    expect(group.textContent).toContain('It was not approved, so it was not done.')
    expect(group.textContent).not.toContain('rejected')
  })

  it('shows a reason without words as it is', async () => {
    const { wire, settle } = await setUp()
    wire.send('tool.cancelled', { toolCallId: 't1', reason: 'constructor' })
    await settle()
    expect(within(card()).getByText('constructor')).toBeDefined()
  })

  it('says that it needs an answer, and no longer once it has one', async () => {
    const { wire, settle } = await setUp()
    wire.send('approval.requested', { approvalId: 'q', toolCallId: 't1' })
    await settle()
    expect(within(card()).getByText(enUS.status.asked)).toBeDefined()
    wire.send('approval.resolved', { approvalId: 'q', decision: 'approved' })
    await settle()
    expect(within(card()).queryByText(enUS.status.asked)).toBeNull()
    expect(within(card()).getByText(enUS.status.pending)).toBeDefined()
  })

  it('folds its result away until it is asked for', async () => {
    const { wire, settle } = await setUp()
    wire.send('tool.completed', { toolCallId: 't1', result: { hits: 2 } })
    await settle()
    expect(button('Result').getAttribute('aria-expanded')).toBe('false')
    expect(card().textContent).not.toContain('hits')
    fireEvent.click(button('Result'))
    expect(within(card()).getByRole('group', { name: 'Result' }).textContent).toBe('{\n  "hits": 2\n}')
    fireEvent.click(button('Result'))
    expect(card().textContent).not.toContain('hits')
  })

  it('shows a megabyte only when it is asked for', async () => {
    const { wire, settle } = await setUp()
    wire.send('tool.completed', { toolCallId: 't1', result: 'x'.repeat(1_000_000) })
    await settle()
    fireEvent.click(button('Result'))
    expect(card().textContent!.length).toBeLessThan(30_000)
    const whole = button('Show all 1,000,000 characters')
    whole.focus()
    fireEvent.click(whole)
    expect(card().textContent!.length).toBeGreaterThan(1_000_000)
    // The focus stays where the text goes on, as the button is gone.
    const { activeElement } = document
    expect(activeElement!.previousSibling!.textContent).toBe('x'.repeat(20_000))
  })

  it('offers a retry of a failed call, and says that it is under way', async () => {
    const { fail, scripted, settle } = await setUp()
    await fail()
    expect(card().textContent).toContain('The store is busy.')
    const finish = scripted.hold()
    fireEvent.click(button('Retry'))
    await settle()
    expect(button('Asking for a retry…').getAttribute('aria-disabled')).toBe('true')
    expect(button('Asking for a retry…').parentElement!.getAttribute('aria-busy')).toBe('true')
    expect(scripted.commands).toMatchObject([{ type: 'tool.retry', payload: { toolCallId: 't1' } }])
    finish()
    await settle()
    // Taken, but not a fact yet: the new attempt's own event says when there is one.
    expect(button('Asking for a retry…').getAttribute('aria-disabled')).toBe('true')
  })

  it('shows the chain of attempts, and offers no retry of what was tried again', async () => {
    const { fail, wire, settle, agent, wrapper } = await setUp()
    await fail()
    wire.send('tool.requested', { toolCallId: 't2', name: 'search', attempt: 2, retryOf: 't1' })
    await settle()
    expect(queryButton('Retry')).toBeNull()
    expect(card().textContent).toContain('Tried again below.')
    render(<ToolCall agent={agent} runId={wire.runId} toolCallId="t2" />, { wrapper })
    expect(screen.getByText('Attempt 2 of search')).toBeDefined()
  })

  it('takes the focus when the retry that was pressed is told by its event, and leaves it alone otherwise', async () => {
    const pressed = await setUp()
    await pressed.fail()
    button('Retry').focus()
    fireEvent.click(button('Retry'))
    pressed.wire.send('tool.requested', { toolCallId: 't2', name: 'search', attempt: 2, retryOf: 't1' })
    await pressed.settle()
    expect(document.activeElement).toBe(card())
    cleanup()

    const unpressed = await setUp()
    await unpressed.fail()
    button('Retry').focus()
    unpressed.wire.send('tool.requested', { toolCallId: 't2', name: 'search', attempt: 2, retryOf: 't1' })
    await unpressed.settle()
    expect(document.activeElement).toBe(document.body)
  })

  it('does not put regenerating under the finger that pressed the retry', async () => {
    const { fail, wire, settle } = await setUp({ onRegenerate: () => undefined })
    await fail()
    button('Retry').focus()
    fireEvent.click(button('Retry'))
    wire.send('run.failed', { error: { message: 'No.' } })
    await settle()
    expect(button('Regenerate')).toBeDefined()
    expect(document.activeElement).toBe(card())
  })

  it('says why a retry came to nothing', async () => {
    const { fail, scripted, settle } = await setUp()
    await fail()
    scripted.onCommand = () => {
      throw new AgentModuleError({ name: 'WireError', code: 'unreachable', message: 'Out of reach.' })
    }
    fireEvent.click(button('Retry'))
    await settle()
    expect(within(card()).getByRole('alert').textContent).toContain('Out of reach.')
    scripted.hold()()
    fireEvent.click(button('Retry'))
    await settle()
    expect(screen.queryByRole('alert')).toBeNull()
    const [first, second] = scripted.commands
    expect(second!.idempotencyKey).toBe(first!.idempotencyKey)
  })

  it('offers no retry where the runtime says no, the provider takes none, or the run is over', async () => {
    const refused = await setUp()
    await refused.fail(false)
    expect(queryButton('Retry')).toBeNull()
    cleanup()

    const unsupported = await setUp({ commands: [] })
    await unsupported.fail()
    expect(queryButton('Retry')).toBeNull()
    cleanup()

    const ended = await setUp()
    await ended.fail()
    expect(queryButton('Retry')).not.toBeNull()
    ended.wire.send('run.completed', {})
    await ended.settle()
    expect(queryButton('Retry')).toBeNull()
  })

  it('shows no work going on once the run is over, or was let go of', async () => {
    const { wire, settle, agent, store } = await setUp()
    wire.send('tool.running', { toolCallId: 't1' })
    await settle()
    expect(within(card()).getByText('Running')).toBeDefined()
    act(() => store.dispatch(agent.actions.abortRun({ runId: wire.runId })))
    await settle()
    expect(within(card()).getByText('Not followed')).toBeDefined()
    cleanup()

    const other = await setUp()
    other.wire.send('run.failed', { error: { message: 'No.' } })
    await other.settle()
    expect(within(card()).getByText('Not finished')).toBeDefined()
  })
})

describe('a failed call of a run that is only history', () => {
  it('was tried again, so that nothing is offered that would do it twice', async () => {
    const { agent, wrapper } = createHarness()
    const run = createAgentEventFactory({ sessionId: 's1', runId: 'old', now: () => 1 })
    const state = replayAgentEvents([
      run.create('run.started', {}),
      run.create('tool.requested', { toolCallId: 't1', name: 'publish' }),
      run.create('tool.failed', { toolCallId: 't1', error: { message: 'Busy.', retryable: true } }),
      run.create('tool.requested', { toolCallId: 't2', name: 'publish', attempt: 2, retryOf: 't1' }),
      run.create('tool.completed', { toolCallId: 't2' }),
      run.create('run.completed', {}),
    ])
    const onRegenerate = vi.fn<(runId: string) => void>()
    render(
      <AgentTimeline agent={agent} sessionId="s1" history={selectAgentTimeline(state)} onRegenerate={onRegenerate} />,
      { wrapper },
    )
    expect(screen.getByText(enUS.tool.retried)).toBeDefined()
    expect(queryButton(enUS.tool.regenerate)).toBeNull()
  })
})
