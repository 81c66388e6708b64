import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import { createAgentEventFactory, createAgentTrace } from 'redux-agent'
import { AgentTimeline, Approval, TraceReplay, enUS, zhCN } from 'redux-agent/react'
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

  /** The replay of a run in which it was closed at 1000, and what its moment and its card then say. */
  function replay(request: { expiresAt?: number; data?: unknown }, hasEnded = true) {
    const { create } = createAgentEventFactory({ sessionId: 's1', runId: 'r1', initialSequence: 0, now: () => 1000 })
    const events = [
      create('run.started', {}),
      create('approval.requested', { approvalId: 'p', description: 'Publish', ...request }),
      create('approval.resolved', { approvalId: 'p', decision: 'expired' }),
      ...(hasEnded ? [create('run.cancelled', {})] : []),
    ]
    const { container } = render(
      <TraceReplay trace={createAgentTrace({ events })} initialSequence={3} locale={locale} />,
    )
    return {
      moment: [...container.querySelectorAll('.agent-replay-moment')].at(-1)!.getAttribute('title'),
      badge: container.querySelector('.agent-approval .agent-status')!.textContent,
    }
  }

  it.each([{}, { expiresAt: 1001 }])('says in the replay what it says live, as soon as it is closed: %j', (request) => {
    expect(replay(request)).toEqual({
      moment: `${locale.replay.unanswered}: Publish`,
      badge: locale.status.ended,
    })
  })

  it('says so of a question in the replay', () => {
    expect(replay({ data: question }).moment).toBe(`${locale.replay.unanswered}: Go on?`)
  })

  it('has expired in the replay where its time was up, or its run has not ended', () => {
    const { expired } = locale.approval.decision
    expect(replay({ expiresAt: 1000 })).toEqual({ moment: `${expired}: Publish`, badge: expired })
    cleanup()
    expect(replay({}, false)).toEqual({ moment: `${expired}: Publish`, badge: expired })
  })
})

describe('an answer that was lost to another one', () => {
  it('is still told of once the run is let go of, and its card stands for good', async () => {
    const harness = createHarness({ maxSettledRuns: 0 })
    const { agent, scripted, settle, store, wrapper } = harness
    const wire = await harness.start()
    wire.send('approval.requested', { approvalId: 'p', description: 'Publish' })
    await settle()
    scripted.onCommand = async function* (_command, create) {
      yield create('approval.resolved', { approvalId: 'p', decision: 'rejected' })
      throw Object.assign(new Error('x'), { code: 'conflict', decision: 'rejected' })
    }
    const of = { agent, sessionId: 's1', runId: wire.runId }
    const view = render(<AgentTimeline {...of} />, { wrapper })
    fireEvent.click(screen.getByRole('button', { name: enUS.approval.approve }))
    await settle()
    const history = agent.selectors.selectAgentTimeline(store.getState(), of)
    view.rerender(<AgentTimeline {...of} history={history} />)
    wire.send('run.completed', {})
    wire.end()
    await settle()
    expect(agent.selectors.selectRun(store.getState(), of)).toBeUndefined()
    expect(screen.getByRole('alert').textContent).toBe(enUS.command.decided(enUS.approval.decision.rejected))
  })
})
