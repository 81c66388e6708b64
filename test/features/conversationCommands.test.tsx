import { act, cleanup, renderHook } from '@testing-library/react'
import { StrictMode, type ReactNode } from 'react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createHarness } from './support/createHarness.tsx'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => {
  cleanup()
  vi.useRealTimers()
})

/** A chat over a run that waits for a decision, whose command the runtime holds. */
async function setUp(options: { isStrict?: boolean } = {}) {
  const harness = createHarness()
  const { agent, scripted, settle, store } = harness
  const wire = await harness.start('s1')
  wire.send('approval.requested', { approvalId: 'p' })
  await settle()
  const wrapper = ({ children }: { children: ReactNode }) => {
    const Inner = harness.wrapper
    return options.isStrict ? (
      <StrictMode>
        <Inner>{children}</Inner>
      </StrictMode>
    ) : (
      <Inner>{children}</Inner>
    )
  }
  const show = (conversationKey: string) =>
    renderHook((props) => agent.useXChat({ provider: 'scripted', ...props }), {
      wrapper,
      initialProps: { conversationKey },
    })
  const chat = show('s1')
  const release = scripted.hold()
  const signals: AbortSignal[] = []
  const { executeCommand } = scripted.provider
  scripted.provider.executeCommand = (command, execution) => {
    signals.push(execution.signal)
    return executeCommand!(command, execution)
  }
  /** Approves, and lets what then is under way arrive. */
  async function submit() {
    const { agentActions } = chat.result.current
    act(() => {
      // What becomes of it is told by its command.
      agentActions.resolveApproval({ runId: wire.runId, approvalId: 'p', decision: 'approved' }).catch(() => undefined)
    })
    await settle()
  }
  const commands = () => Object.values(agent.selectors.selectCommandStates(store.getState(), 's1'))
  return { ...harness, wire, chat, show, release, signals, submit, commands }
}

const turnTo = ({ chat }: Awaited<ReturnType<typeof setUp>>, conversationKey: string) =>
  chat.rerender({ conversationKey })

describe.each([[false], [true]])('a conversation that is left (StrictMode: %s)', (isStrict) => {
  it('gives up its commands and keeps its state; whoever returns repeats the wish under its key', async () => {
    const run = await setUp({ isStrict })
    await run.submit()
    expect(run.commands()).toMatchObject([{ status: 'submitting' }])
    turnTo(run, 's2')
    await run.settle()
    expect(run.signals.map(({ aborted }) => aborted)).toEqual([true])
    expect(run.commands()).toMatchObject([{ status: 'failed', error: { code: 'interrupted', retryable: true } }])
    expect(run.wire.signal.aborted).toBe(false)
    expect(run.chat.result.current).toMatchObject({ sessionId: 's2', messages: [], commandStates: {} })
    turnTo(run, 's1')
    expect(Object.values(run.chat.result.current.agentState.approvals)).toMatchObject([{ status: 'waiting' }])
    run.release()
    await run.submit()
    expect(run.scripted.commands.map(({ commandId }) => commandId)).toEqual(
      Array(2).fill(run.scripted.commands[0]!.commandId),
    )
    expect(run.commands()).toMatchObject([{ status: 'succeeded' }])
  })

  it('keeps its commands while another component shows it', async () => {
    const run = await setUp({ isStrict })
    const other = run.show('s1')
    await run.submit()
    turnTo(run, 's2')
    await run.settle()
    expect(run.signals.map(({ aborted }) => aborted)).toEqual([false])
    other.rerender({ conversationKey: 's2' })
    await run.settle()
    expect(run.signals.map(({ aborted }) => aborted)).toEqual([true])
  })

  it('keeps its commands when its component goes, and nothing is sent twice', async () => {
    const run = await setUp({ isStrict })
    await run.submit()
    run.chat.unmount()
    await run.settle()
    expect(run.signals.map(({ aborted }) => aborted)).toEqual([false])
    run.release()
    await run.settle()
    expect(run.commands()).toMatchObject([{ status: 'succeeded' }])
    run.show('s1')
    await run.settle()
    expect(run.scripted.commands).toHaveLength(1)
    expect(run.scripted.wires).toHaveLength(1)
  })

  it('refuses from then on what is asked of its runs, by the same actions', async () => {
    const run = await setUp({ isStrict })
    const { agentActions } = run.chat.result.current
    turnTo(run, 's2')
    expect(run.chat.result.current.agentActions).toBe(agentActions)
    const approve = () => agentActions.resolveApproval({ runId: run.wire.runId, approvalId: 'p', decision: 'approved' })
    await expect(approve()).rejects.toMatchObject({ code: 'missing_run' })
    expect(run.commands()).toEqual([])
    expect(run.scripted.commands).toEqual([])
    turnTo(run, 's1')
    run.release()
    await act(async () => void (await approve()))
    expect(run.commands()).toMatchObject([{ status: 'succeeded' }])
  })
})
