import { act, cleanup, fireEvent, render, screen, within } from '@testing-library/react'
import { AgentModuleError } from 'redux-agent'
import type { AgentCommandType, AgentEventPayloadMap } from 'redux-agent'
import { Approval, enUS, zhCN, type AgentLocale, type ApprovalDataProps } from 'redux-agent/react'
import { createGate } from 'redux-agent/testing'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createHarness } from './support/createHarness.tsx'
import { expectAccessible } from './support/expectAccessible.ts'

beforeEach(() => void vi.useFakeTimers({ now: 1_000_000 }))
afterEach(() => {
  cleanup()
  vi.useRealTimers()
})

/** An error whose words a provider wants shown. */
const refuse = (message: string) => new AgentModuleError({ name: 'WireError', code: 'refused', message })

interface Options {
  commands?: readonly AgentCommandType[]
  locale?: AgentLocale
  request?: Partial<AgentEventPayloadMap['approval.requested']>
  renderData?: (props: ApprovalDataProps) => React.ReactNode
  now?: () => number
}

async function setUp({ commands, request, ...props }: Options = {}) {
  const harness = createHarness(commands ? { commands } : {})
  const wire = await harness.start()
  const approval = { approvalId: 'p', description: 'Write a.md', risk: 'high', data: { path: 'a.md' }, ...request }
  wire.send('approval.requested', approval)
  await harness.settle()
  const view = render(<Approval agent={harness.agent} runId={wire.runId} approvalId="p" {...props} />, {
    wrapper: harness.wrapper,
  })
  async function press(name: string) {
    fireEvent.click(button(name))
    await harness.settle()
  }
  async function resolve(decision: 'approved' | 'rejected' | 'modified' | 'expired', data?: unknown) {
    wire.send('approval.resolved', { approvalId: 'p', decision, data })
    await harness.settle()
  }
  return { ...harness, ...view, wire, press, resolve }
}

const button = (name: string) => screen.getByRole<HTMLButtonElement>('button', { name })
const isDisabled = (name: string) => button(name).getAttribute('aria-disabled') === 'true'
const names = () => screen.queryAllByRole('button').map(({ textContent }) => textContent)

describe.each([
  ['English', enUS],
  ['Chinese', zhCN],
] as const)('Approval in %s', (_, locale) => {
  it('asks in words and roles, before and after, and is accessible', async () => {
    const { container, press, resolve } = await setUp({ locale, request: { expiresAt: 1_090_000 } })
    const group = screen.getByRole('group', { name: `${locale.approval.needed} Write a.md` })
    expect(within(group).getByText(locale.approval.risk.high!)).toBeDefined()
    expect(within(group).getByRole('group', { name: locale.approval.details }).textContent).toContain('a.md')
    expect(names()).toEqual([locale.approval.approve, locale.approval.reject, locale.approval.edit])
    await expectAccessible(container)
    await press(locale.approval.edit)
    await expectAccessible(container)
    await resolve('modified')
    expect(screen.getByText(locale.approval.decision.modified)).toBeDefined()
    expect(names()).toEqual([])
    await expectAccessible(container)
  })
})

describe.each([
  ['English', enUS, 'Someone decided already: rejected.', 'No answer came in time.'],
  ['Chinese', zhCN, '已有人做出决定：已拒绝。', '未在规定时间内收到答复。'],
] as const)('a failed answer in %s', (_, locale, conflictWords, timeoutWords) => {
  const conflict = () => Object.assign(new Error('x'), { code: 'conflict', decision: 'rejected' })

  it('that comes after another decision says which one stands', async () => {
    const { press, scripted, resolve, container } = await setUp({ locale })
    scripted.onCommand = async function* (_command, create) {
      yield create('approval.resolved', { approvalId: 'p', decision: 'rejected' })
      throw conflict()
    }
    await press(locale.approval.approve)
    expect(screen.getByRole('alert').textContent).toBe(conflictWords)
    expect(screen.getByText(locale.approval.decision.rejected)).toBeDefined()
    expect(names()).toEqual([])
    await expectAccessible(container)
    await resolve('rejected')
    expect(screen.getByRole('alert').textContent).toBe(conflictWords)
  })

  it('that comes after another decision says which one stands also before its event has come', async () => {
    const { press, scripted, resolve } = await setUp({ locale })
    scripted.onCommand = () => {
      throw conflict()
    }
    await press(locale.approval.approve)
    expect(screen.getByRole('alert').textContent).toBe(conflictWords)
    expect(screen.queryByText(locale.approval.decision.rejected)).toBeNull()
    expect(names()).not.toContain(locale.command.tryAgain)
    await resolve('rejected')
    expect(screen.getByText(locale.approval.decision.rejected)).toBeDefined()
  })

  it('that conflicts without words gets them from the decision’s event', async () => {
    const { press, scripted, resolve } = await setUp({ locale })
    scripted.onCommand = () => {
      throw Object.assign(new Error('x'), { code: 'conflict' })
    }
    await press(locale.approval.approve)
    expect(screen.getByRole('alert').textContent).toBe(locale.command.failed(locale.command.reasons.conflict!))
    await resolve('rejected')
    expect(screen.getByRole('alert').textContent).toBe(conflictWords)
  })

  it('that never came says so, and is sent again under its key', async () => {
    const { press, scripted } = await setUp({ locale })
    scripted.hold()
    await press(locale.approval.approve)
    await act(() => vi.advanceTimersByTimeAsync(10_000))
    expect(screen.getByRole('alert').textContent).toContain(timeoutWords)
    button(locale.command.tryAgain).focus()
    await press(locale.command.tryAgain)
    expect(screen.queryByRole('alert')).toBeNull()
    expect(screen.getByRole('status').textContent).toBe(locale.approval.submitting)
    expect(document.activeElement).toBe(screen.getByRole('status'))
    const [first, second] = scripted.commands
    expect(second!.idempotencyKey).toBe(first!.idempotencyKey)
  })
})

describe('Approval', () => {
  it('is not told as failed whose answer was lost, once what they asked for is a fact', async () => {
    const { press, scripted, resolve } = await setUp()
    scripted.onCommand = () => {
      throw Object.assign(refuse('Lost.'), { retryable: true })
    }
    await press('Approve')
    expect(screen.getByRole('alert').textContent).toContain('Lost.')
    await resolve('approved')
    expect(screen.queryByRole('alert')).toBeNull()
    expect(screen.getByText('Approved')).toBeDefined()
  })

  it.each([
    ['Approve', 'approved', 'Approved'],
    ['Reject', 'rejected', 'Rejected'],
  ] as const)('sends %s as a command, and shows it as done once the event says so', async (name, decision, word) => {
    const { press, scripted, resolve, wire } = await setUp({ request: { version: 3 } })
    const finish = scripted.hold()
    await press(name)
    expect(scripted.commands).toMatchObject([
      { type: 'approval.resolve', runId: wire.runId, payload: { approvalId: 'p', decision, expectedVersion: 3 } },
    ])
    expect(['Approve', 'Reject', 'Edit'].every(isDisabled)).toBe(true)
    expect(button('Approve').parentElement!.getAttribute('aria-busy')).toBe('true')
    expect(screen.getByRole('status').textContent).toBe('Sending your answer…')
    expect(screen.queryByText(word)).toBeNull()

    finish()
    await act(() => vi.advanceTimersByTimeAsync(60))
    expect(screen.getByRole('status').textContent).toBe('Sent. Waiting for the agent to confirm.')
    expect(isDisabled('Approve')).toBe(true)
    expect(screen.queryByText(word)).toBeNull()

    await resolve(decision)
    expect(screen.getByText(word)).toBeDefined()
    expect(names()).toEqual([])
  })

  it('says why an answer came to nothing, and sends the same one again', async () => {
    const { press, scripted } = await setUp()
    scripted.onCommand = () => {
      throw Object.assign(refuse('Out of reach.'), { retryable: true })
    }
    await press('Reject')
    expect(screen.getByRole('alert').textContent).toContain('Out of reach.')
    expect(isDisabled('Approve')).toBe(false)
    await press('Try again')
    const [first, second] = scripted.commands
    expect(second).toMatchObject({
      commandId: first!.commandId,
      idempotencyKey: first!.idempotencyKey,
      payload: first!.payload,
    })
  })

  it('offers no second try of what cannot succeed', async () => {
    const { press, scripted } = await setUp()
    scripted.onCommand = () => {
      throw refuse('Not allowed.')
    }
    await press('Approve')
    expect(screen.getByRole('alert').textContent).toContain('Not allowed.')
    expect(names()).not.toContain('Try again')
  })

  it('tells the person whose answer lost what was decided, and why', async () => {
    const { press, scripted, resolve } = await setUp()
    scripted.onCommand = () => {
      throw refuse('Someone has already rejected this.')
    }
    await press('Approve')
    await resolve('rejected')
    expect(screen.getByText('Rejected')).toBeDefined()
    expect(screen.getByRole('alert').textContent).toContain('Someone has already rejected this.')
    expect(names()).toEqual([])
  })

  it('edits the data as JSON, and sends only what is JSON', async () => {
    const { press, scripted } = await setUp()
    await press('Edit')
    const editor = screen.getByRole<HTMLTextAreaElement>('textbox', { name: 'Edit as JSON' })
    expect(JSON.parse(editor.value)).toEqual({ path: 'a.md' })
    fireEvent.change(editor, { target: { value: '{"path":' } })
    expect(editor.getAttribute('aria-invalid')).toBe('true')
    expect(screen.getByText('This is not valid JSON.').id).toBe(editor.getAttribute('aria-describedby'))
    expect(isDisabled('Approve changes')).toBe(true)
    await press('Approve changes')
    expect(scripted.commands).toEqual([])
    fireEvent.change(editor, { target: { value: '{"path":"b.md"}' } })
    await press('Approve changes')
    expect(scripted.commands).toMatchObject([{ payload: { decision: 'modified', data: { path: 'b.md' } } }])
  })

  it('approves as it was what was edited back, and forgets what was discarded', async () => {
    const { press, scripted } = await setUp()
    await press('Edit')
    fireEvent.change(screen.getByRole('textbox'), { target: { value: '{"path":"b.md"}' } })
    await press('Discard changes')
    await press('Edit')
    expect(JSON.parse(screen.getByRole<HTMLTextAreaElement>('textbox').value)).toEqual({ path: 'a.md' })
    fireEvent.change(screen.getByRole('textbox'), { target: { value: '{"path":"b.md"}' } })
    expect(names()).toEqual(['Approve changes', 'Discard changes'])
    fireEvent.change(screen.getByRole('textbox'), { target: { value: '{"path":"a.md"}' } })
    expect(names()).toEqual(['Approve', 'Discard changes'])
    await press('Approve')
    const { payload } = scripted.commands[0]!
    expect(payload).toMatchObject({ decision: 'approved' })
    expect(payload).not.toHaveProperty('data')
  })

  it('lets the app show and edit the data', async () => {
    const { press, scripted, resolve } = await setUp({
      renderData: ({ value, onChange, isEditing }) => {
        const { path } = value as { path: string }
        return isEditing ? (
          <input aria-label="Path" value={path} onChange={(event) => onChange({ path: event.target.value })} />
        ) : (
          <b>{path}</b>
        )
      },
    })
    expect(screen.getByText('a.md').tagName).toBe('B')
    await press('Edit')
    fireEvent.change(screen.getByLabelText('Path'), { target: { value: 'c.md' } })
    expect(screen.getByLabelText<HTMLInputElement>('Path').value).toBe('c.md')
    await press('Approve changes')
    expect(scripted.commands).toMatchObject([{ payload: { decision: 'modified', data: { path: 'c.md' } } }])
    await resolve('modified', { path: 'final.md' })
    expect(screen.getByText('final.md').tagName).toBe('B')
  })

  it('offers no edit where the runtime allows none, or there is nothing to edit', async () => {
    await setUp({ request: { editable: false } })
    expect(names()).toEqual(['Approve', 'Reject'])
    cleanup()
    await setUp({ request: { data: undefined } })
    expect(names()).toEqual(['Approve', 'Reject'])
  })

  it('says hours where there are hours left', async () => {
    await setUp({ request: { expiresAt: 24 * 3_600_000 }, now: () => 1500 })
    expect(screen.getByRole('timer').textContent).toBe('Expires in 24 h')
    cleanup()
    // A whole day from now on, where the clock is told to the second.
    await setUp({ request: { expiresAt: 24 * 3_600_000 + 1500 }, now: () => 1500 })
    expect(screen.getByRole('timer').textContent).toBe('Expires in 24 h')
  })

  it('counts down by the injected clock, and leaves the judgement to the runtime', async () => {
    let time = 50_000
    const { resolve } = await setUp({ request: { expiresAt: 112_000 }, now: () => time })
    expect(screen.getByRole('timer').textContent).toBe('Expires in 1:02')
    time = 80_500
    act(() => void vi.advanceTimersByTime(1000))
    expect(screen.getByRole('timer').textContent).toBe('Expires in 0:32')
    time = 112_000
    act(() => void vi.advanceTimersByTime(1000))
    expect(screen.getByRole('timer').textContent).toBe('The time to answer is up.')
    expect(isDisabled('Approve')).toBe(false)
    expect(vi.getTimerCount()).toBe(1)
    await resolve('expired')
    expect(screen.getByText('Expired without an answer')).toBeDefined()
    expect(vi.getTimerCount()).toBe(0)
  })

  it('has no live button once the run is over, and says that it was not answered', async () => {
    const { wire, settle } = await setUp({ request: { expiresAt: 2_000_000 } })
    wire.send('run.cancelled', {})
    await settle()
    expect(names()).toEqual([])
    expect(screen.queryByRole('timer')).toBeNull()
    expect(screen.getByText('The run ended before an answer.')).toBeDefined()
  })

  it('shows a refusal that made no command', async () => {
    const { press, scripted, wire, agent, store } = await setUp({ request: { version: 1 } })
    const finish = scripted.hold()
    // Another component is cancelling the run: the store refuses every other command meanwhile.
    act(() => void store.dispatch(agent.actions.cancelRun({ runId: wire.runId })))
    await press('Approve')
    expect(screen.getByRole('alert').textContent).toContain('already been submitted')
    expect(scripted.commands).toHaveLength(1)
    finish()
  })

  it('tells a refusal no longer once another command of the same action is on its way', async () => {
    const { press, scripted, wire, agent, store, settle } = await setUp()
    const fail = createGate()
    scripted.onCommand = async function* () {
      yield* []
      await fail.opened
      throw refuse('Not now.')
    }
    act(() => void store.dispatch(agent.actions.cancelRun({ runId: wire.runId })).catch(() => undefined))
    await press('Approve')
    expect(screen.getByRole('alert').textContent).toContain('already been submitted')
    fail.open()
    await settle()
    const finish = scripted.hold()
    act(() => {
      void store.dispatch(agent.actions.resolveApproval({ runId: wire.runId, approvalId: 'p', decision: 'approved' }))
    })
    expect(screen.queryByRole('alert')).toBeNull()
    finish()
    await settle()
  })

  it('offers no buttons where the provider takes no answer', async () => {
    await setUp({ commands: ['run.cancel'] })
    expect(names()).toEqual([])
    expect(screen.getByText('It cannot be answered on this page.')).toBeDefined()
  })

  it('keeps the focus off the buttons that decide when editing begins and is given up', async () => {
    const { press } = await setUp({ renderData: () => <p>The data</p> })
    button('Edit').focus()
    await press('Edit')
    expect(document.activeElement).toBe(button('Discard changes'))
    await press('Discard changes')
    expect(document.activeElement).toBe(button('Edit'))
  })

  it('takes the focus when the pressed button goes', async () => {
    const { press, resolve } = await setUp()
    button('Approve').focus()
    await press('Approve')
    await resolve('approved')
    expect(document.activeElement).toBe(screen.getByRole('group', { name: 'Approval Write a.md' }))
  })

  it('keeps the focus where it was when an answer comes to nothing, and sends one answer for two presses', async () => {
    const { press, scripted, settle } = await setUp()
    const finish = scripted.hold()
    button('Approve').focus()
    await press('Approve')
    await press('Approve')
    await press('Reject')
    expect(scripted.commands).toHaveLength(1)
    expect(document.activeElement).toBe(button('Approve'))
    finish()
    await settle()
    expect(document.activeElement).toBe(button('Approve'))
  })

  it('takes no second half of a double click', async () => {
    const { settle, scripted } = await setUp()
    fireEvent.click(button('Edit'), { detail: 1 })
    fireEvent.click(button('Approve'), { detail: 2 })
    await settle()
    expect(scripted.commands).toEqual([])
    fireEvent.click(button('Approve'), { detail: 1 })
    await settle()
    expect(scripted.commands).toHaveLength(1)
  })

  it('makes no more of the risk once there is nothing to decide', async () => {
    const { resolve } = await setUp()
    expect(screen.getByText('High risk').dataset.risk).toBe('high')
    await resolve('approved')
    expect(screen.getByText('High risk').dataset.risk).toBeUndefined()
  })

  it('leaves the focus alone when someone else decides', async () => {
    const { resolve } = await setUp()
    await resolve('approved')
    expect(document.activeElement).toBe(document.body)
  })
})
