import { cleanup, render, screen } from '@testing-library/react'
import { AgentTimeline, Approval, enUS, zhCN } from 'redux-agent/react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createHarness } from './support/createHarness.tsx'
import { expectAccessible } from './support/expectAccessible.ts'

beforeEach(() => void vi.useFakeTimers({ now: 1_000_000 }))
afterEach(() => {
  cleanup()
  vi.useRealTimers()
})

const question = { isQuestion: true, question: 'Go on?', options: [{ label: 'Yes', value: 'yes' }] }

describe.each([
  ['English', enUS],
  ['Chinese', zhCN],
] as const)('in %s, an approval that nobody answered', (_, locale) => {
  async function setUp(request: { expiresAt?: number; data?: unknown } = {}) {
    const harness = createHarness()
    const wire = await harness.start()
    wire.send('approval.requested', { approvalId: 'p', description: 'Publish', ...request })
    await harness.settle()
    const { agent, wrapper } = harness
    const { container } = render(
      <>
        <Approval agent={agent} runId={wire.runId} approvalId="p" locale={locale} />
        <AgentTimeline agent={agent} sessionId="s1" locale={locale} />
      </>,
      { wrapper },
    )
    const badges = () => [...container.querySelectorAll('.agent-approval .agent-status')].map((badge) => badge.textContent)
    const spoken = () => container.querySelector('[aria-live]')!.textContent
    const send = async (...ends: ('expired' | 'cancelled' | 'failed' | 'completed')[]) => {
      for (const end of ends) {
        if (end === 'expired') wire.send('approval.resolved', { approvalId: 'p', decision: 'expired' })
        else if (end === 'failed') wire.send('run.failed', { error: { message: 'No.' } })
        else wire.send(`run.${end}`, {})
      }
      await harness.settle()
    }
    return { container, badges, spoken, send }
  }

  it.each([
    ['with time left', 9_000_000],
    ['without a deadline', undefined],
  ])('%s when its run was cancelled says that the run ended', async (_time, expiresAt) => {
    const { container, badges, spoken, send } = await setUp({ ...(expiresAt !== undefined && { expiresAt }) })
    await send('expired', 'cancelled')
    expect(badges()).toEqual([locale.status.ended, locale.status.ended])
    expect(screen.getAllByText(locale.approval.ended)).toHaveLength(2)
    expect(container.textContent).not.toContain(locale.approval.decision.expired)
    expect(spoken()).toContain(locale.announce.finished(locale.approval.label, locale.approval.ended))
    await expectAccessible(container)
  })

  it('says so also where the run failed', async () => {
    const { badges, send } = await setUp({ expiresAt: 9_000_000 })
    await send('expired', 'failed')
    expect(badges()).toEqual([locale.status.ended, locale.status.ended])
  })

  it('says so also of a question', async () => {
    const { container, send } = await setUp({ data: question })
    await send('expired', 'cancelled')
    expect(screen.getAllByText(locale.question.ended)).toHaveLength(2)
    expect(container.textContent).not.toContain(locale.question.decision.expired)
  })

  it('in time has expired, and still has when its run ends later', async () => {
    const { badges, spoken, send } = await setUp({ expiresAt: 1_030_000 })
    await vi.advanceTimersByTimeAsync(60_000)
    await send('expired')
    const { expired } = locale.approval.decision
    expect(badges()).toEqual([expired, expired])
    expect(spoken()).toBe(locale.announce.finished(locale.approval.label, expired))
    await send('completed')
    expect(badges()).toEqual([expired, expired])
    expect(screen.queryByText(locale.approval.ended)).toBeNull()
  })
})
