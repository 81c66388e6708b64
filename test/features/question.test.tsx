import { cleanup, fireEvent, render, screen, within } from '@testing-library/react'
import {
  AgentModuleError,
  createAgentEventFactory,
  createAgentTrace,
  readApprovalQuestion,
  type AgentEventPayloadMap,
} from 'redux-agent'
import { AgentTimeline, Approval, enUS, TraceReplay, zhCN, type AgentLocale } from 'redux-agent/react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createHarness } from './support/createHarness.tsx'
import { expectAccessible } from './support/expectAccessible.ts'

beforeEach(() => void vi.useFakeTimers({ now: 1_000_000 }))
afterEach(() => {
  cleanup()
  vi.useRealTimers()
})

const asked = { isQuestion: true, options: ['Monday', { value: 'fri', label: 'Friday' }] }
const request = { approvalId: 'p', description: 'Which day?', risk: 'low', data: asked }

interface Options {
  locale?: AgentLocale
  request?: Partial<AgentEventPayloadMap['approval.requested']>
}

async function setUp(options: Options = {}) {
  const harness = createHarness()
  const wire = await harness.start()
  wire.send('approval.requested', { ...request, ...options.request })
  await harness.settle()
  const approval = <Approval agent={harness.agent} runId={wire.runId} approvalId="p" locale={options.locale} />
  const view = render(approval, { wrapper: harness.wrapper })
  async function press(name: string) {
    fireEvent.click(button(name))
    await harness.settle()
  }
  async function resolve(decision: 'modified' | 'rejected' | 'expired', data?: unknown) {
    wire.send('approval.resolved', { approvalId: 'p', decision, data })
    await harness.settle()
  }
  return { ...harness, ...view, wire, press, resolve }
}

const button = (name: string) => screen.getByRole<HTMLButtonElement>('button', { name })
const isDisabled = (name: string) => button(name).getAttribute('aria-disabled') === 'true'
const field = () => screen.queryByRole<HTMLTextAreaElement>('textbox')
const choose = (name: string, init: object = {}) => fireEvent.click(screen.getByRole('radio', { name }), init)
const sent = ({ scripted }: { scripted: { commands: readonly { payload: unknown }[] } }) =>
  scripted.commands.map(({ payload }) => payload)

describe.each([
  ['English', enUS],
  ['Chinese', zhCN],
] as const)('a question in %s', (_, locale) => {
  it('asks with its options, and shows the answer as the runtime tells it, accessibly all along', async () => {
    const test = await setUp({ locale })
    const { container, press, resolve } = test
    const words = locale.question
    const card = within(screen.getByRole('group', { name: `${words.needed} Which day?` }))
    const options = within(card.getByRole('radiogroup', { name: words.options }))
    const labels = options.getAllByRole('radio').map((radio) => radio.closest('label')!.textContent)
    expect(labels).toEqual(['Monday', 'Friday', words.otherWords])
    expect(card.queryByText(locale.approval.risk.low!)).toBeNull()
    expect(isDisabled(words.send)).toBe(true)
    await expectAccessible(container)

    choose('Friday')
    expect(field()).toBeNull()
    await press(words.send)
    expect(sent(test)).toMatchObject([{ approvalId: 'p', decision: 'modified', data: { answer: 'fri' } }])
    expect(isDisabled(words.send)).toBe(true)
    expect(screen.queryByText(words.decision.modified)).toBeNull()

    await resolve('modified', { ...asked, answer: 'fri' })
    expect(screen.getByText(words.decision.modified)).toBeDefined()
    expect(screen.getByText('fri')).toBeDefined()
    expect(screen.queryAllByRole('radio')).toEqual([])
    await expectAccessible(container)
  })

  it('takes other words, by Enter too', async () => {
    const test = await setUp({ locale })
    choose(locale.question.otherWords, { detail: 1 })
    const box = screen.getByRole('textbox', { name: locale.question.answer })
    expect(document.activeElement).toBe(box)
    await expectAccessible(test.container)
    fireEvent.change(box, { target: { value: '  ' } })
    fireEvent.keyDown(box, { key: 'Enter' })
    expect(sent(test)).toEqual([])
    fireEvent.change(box, { target: { value: ' Sunday ' } })
    for (const more of [{ shiftKey: true }, { isComposing: true }, { keyCode: 229 }]) {
      fireEvent.keyDown(box, { key: 'Enter', ...more })
    }
    expect(sent(test)).toEqual([])
    fireEvent.keyDown(box, { key: 'Enter' })
    await test.settle()
    expect(sent(test)).toMatchObject([{ decision: 'modified', data: { answer: 'Sunday' } }])
  })
})

describe('a question', () => {
  it('without options is a field; what is no option is left out', async () => {
    await setUp({ request: { data: { isQuestion: true, question: 'Why?', options: [7, null, '', { label: 'x' }] } } })
    expect(screen.getByRole('group', { name: 'Question for you Why?' })).toBeDefined()
    expect(screen.queryByRole('radiogroup')).toBeNull()
    expect(field()).not.toBeNull()
    const hostile = Array.from({ length: 99 }, (_, index) => (index < 3 ? '__proto__' : `option ${index}`))
    expect(readApprovalQuestion({ isQuestion: true, options: hostile })?.options).toHaveLength(48)
    for (const data of [undefined, 'x', [], {}, { isQuestion: 'true' }]) expect(readApprovalQuestion(data)).toBeUndefined()
  })

  it('leaves the focus among the choices where the arrow keys chose other words', async () => {
    await setUp()
    choose('In my own words', { detail: 0 })
    expect(field()).not.toBeNull()
    expect(document.activeElement).not.toBe(field())
  })

  it('is declined, and the card takes the focus', async () => {
    const test = await setUp()
    button('Decline').focus()
    await test.press('Decline')
    expect(sent(test)).toEqual([{ approvalId: 'p', decision: 'rejected' }])
    await test.resolve('rejected')
    expect(screen.getByText('Declined')).toBeDefined()
    expect(document.activeElement).toBe(screen.getByRole('group', { name: 'Question Which day?' }))
  })

  it('of a runtime that takes no edits is answered by a consent', async () => {
    const test = await setUp({ request: { editable: false, version: 3 } })
    choose('Monday')
    await test.press('Send answer')
    const answer = { approvalId: 'p', decision: 'approved', data: { answer: 'Monday' }, expectedVersion: 3 }
    expect(sent(test)).toEqual([answer])
  })

  it('keeps what was typed when the answer is not taken, and can be answered anew', async () => {
    const test = await setUp({ request: { data: { isQuestion: true } } })
    test.scripted.onCommand = () => {
      throw new AgentModuleError({ name: 'WireError', code: 'refused', message: 'Too long.' })
    }
    fireEvent.change(field()!, { target: { value: 'A' } })
    await test.press('Send answer')
    expect(screen.getByRole('alert').textContent).toContain('Too long.')
    expect(field()!.value).toBe('A')
    expect(isDisabled('Send answer')).toBe(false)
  })

  it('says who was faster in the words of a question', async () => {
    const test = await setUp()
    test.scripted.onCommand = async function* (_command, create) {
      yield create('approval.resolved', { approvalId: 'p', decision: 'modified', data: { ...asked, answer: 'Monday' } })
      throw Object.assign(new Error('x'), { code: 'conflict', decision: 'modified' })
    }
    choose('Friday')
    await test.press('Send answer')
    expect(screen.getByRole('alert').textContent).toBe('Someone decided already: answered.')
    expect(screen.getByText('Monday')).toBeDefined()
  })

  it('is announced as one by the timeline', async () => {
    const harness = createHarness()
    const wire = await harness.start()
    const { container } = render(<AgentTimeline agent={harness.agent} sessionId="s1" />, { wrapper: harness.wrapper })
    await harness.settle()
    wire.send('approval.requested', request)
    await harness.settle()
    const heard = () => container.querySelector('[aria-live]')?.textContent
    expect(heard()).toBe('A question for you: Which day?')
    wire.send('approval.resolved', { approvalId: 'p', decision: 'modified', data: { ...asked, answer: 'fri' } })
    await harness.settle()
    expect(heard()).toBe('Question: Answered')
  })

  it.each([
    ['fri', 'Friday'],
    ['Never', 'In my own words'],
  ])('is shown in a replay as it waited, with what was answered (%s)', async (answer, chosen) => {
    const { create } = createAgentEventFactory({ sessionId: 's', runId: 'r', now: () => 1 })
    const events = [
      create('run.started', {}),
      create('approval.requested', request),
      create('approval.resolved', { approvalId: 'p', decision: 'modified', data: { ...asked, answer } }),
      create('run.completed', {}),
    ]
    const { container } = render(<TraceReplay trace={createAgentTrace({ events })} />)
    fireEvent.click(screen.getByRole('button', { name: /Question for you: Which day/ }))
    const radios = screen.getAllByRole<HTMLInputElement>('radio')
    expect(radios.every((radio) => radio.disabled)).toBe(true)
    expect(radios.filter((radio) => radio.checked).map((radio) => radio.closest('label')!.textContent)).toEqual([chosen])
    expect(button('Send answer').getAttribute('aria-pressed')).toBe('true')
    expect(screen.getByText('What was decided: answered.')).toBeDefined()
    await expectAccessible(container)
    fireEvent.click(screen.getByRole('button', { name: /Answered: Which day/ }))
    expect(screen.getByText(answer)).toBeDefined()
  })
})
