import { cleanup, render, screen } from '@testing-library/react'
import { AgentTimeline } from 'redux-agent/react'
import type { ComponentProps } from 'react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createHarness } from './support/createHarness.tsx'
import { expectAccessible } from './support/expectAccessible.ts'

beforeEach(() => void vi.useFakeTimers({ now: 1_000_000 }))
afterEach(() => {
  cleanup()
  vi.useRealTimers()
})

async function setUp(props: Partial<ComponentProps<typeof AgentTimeline>> = {}) {
  const harness = createHarness()
  const wire = await harness.start()
  const view = render(<AgentTimeline agent={harness.agent} sessionId="s1" {...props} />, { wrapper: harness.wrapper })
  return { ...harness, ...view, wire }
}

const alerts = () => screen.queryAllByRole('alert').map(({ textContent }) => textContent)
const spent = { message: 'The quota is spent.', code: 'quota' }

describe('why a run came to nothing', () => {
  it('stands below the rows, with its code, accessibly', async () => {
    const { container, wire, settle } = await setUp()
    expect(alerts()).toEqual([])
    wire.send('run.failed', { error: spent })
    await settle()
    expect(alerts()).toEqual(['The quota is spent.quota'])
    await expectAccessible(container)
  })

  it('is not said again where a row says it', async () => {
    const { wire, settle } = await setUp()
    wire.send('message.started', { messageId: 'm', role: 'assistant' })
    wire.send('message.failed', { messageId: 'm', error: spent })
    wire.send('run.failed', { error: spent })
    await settle()
    expect(alerts()).toEqual([])
    expect(screen.getAllByText('The quota is spent.')).toHaveLength(1)
  })

  it('is said of a wire that broke before any event, and no longer once another run goes well', async () => {
    const { wire, settle, start } = await setUp()
    wire.break(new Error('The agent is out of reach.'))
    await settle()
    expect(alerts()).toEqual(['The agent is out of reach.'])
    const next = await start()
    next.send('run.completed', {})
    await settle()
    expect(alerts()).toEqual([])
  })

  it('stands in place of the word that nothing has happened yet', async () => {
    const { wire, settle, start } = await setUp({ empty: 'Ask something.' })
    expect(screen.getByText('Ask something.')).toBeDefined()
    wire.break(new Error('The agent is out of reach.'))
    await settle()
    expect(alerts()).toEqual(['The agent is out of reach.'])
    expect(screen.queryByText('Ask something.')).toBeNull()
    const next = await start()
    next.send('run.completed', {})
    await settle()
    expect(screen.getByText('Ask something.')).toBeDefined()
  })

  it('is the app’s to show', async () => {
    const { wire, settle } = await setUp({ renderRunError: ({ code }, { runId }) => <b>{`${runId}: ${code}`}</b> })
    wire.send('run.failed', { error: spent })
    await settle()
    expect(screen.getByText(`${wire.runId}: quota`)).toBeDefined()
    expect(alerts()).toEqual([])
  })
})
