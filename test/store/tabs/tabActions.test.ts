import { createMemoryAgentCheckpointStorage } from 'redux-agent'
import { createGate, createScriptedProvider } from 'redux-agent/testing'
import { describe, expect, it } from 'vitest'
import { replayed } from '../createCheckpointPage.ts'
import { createPage } from '../createPage.ts'
import { createRun, createShortRun } from '../createRunEvents.ts'
import { createBrowser } from './createBrowser.ts'
import { createTabModel } from './createTabModel.ts'
import { createTabPages } from './createTabPages.ts'
import { openTwoTabs } from './openTwoTabs.ts'

/** Two tabs, the first of which reads a run that stands at its 40th event. */
async function openTwo(options: Parameters<typeof createTabPages>[0] = { hangAfterEvents: [40] }) {
  const pages = createTabPages(options)
  const { first, second, rest } = openTwoTabs(pages)
  await rest()
  void first.start()
  await rest()
  return { ...pages, first, second, rest }
}

/** Two tabs on a provider that cannot resume. */
async function openPlain(script: Parameters<typeof createScriptedProvider>[0]) {
  const browser = createBrowser()
  const open = (name: string, runId: string) => {
    const provider = createScriptedProvider(script)
    const { environment } = browser.createTab()
    const ids = [name, runId]
    const storage = createMemoryAgentCheckpointStorage()
    return { ...createPage({ fetch, storage, ids, runtime: { providers: [provider] }, environment }), provider }
  }
  const [first, second] = [open('a', 'r1'), open('b', 'r2')]
  for (const page of [first, second]) page.open().catch(() => undefined)
  const rest = async () => {
    await first.rest()
    await second.rest()
  }
  await rest()
  const start = (page: typeof first) =>
    page.store.dispatch(page.agent.actions.startRun({ sessionId: 's1', provider: 'scripted', input: {} }))
  return { browser, first, second, rest, start }
}

describe('a person in the tab that follows', () => {
  it('starts a run, whose owner this tab is then', async () => {
    const { server, open, browser } = createTabPages()
    const [first, second] = [open(), open()]
    await first.rest()
    await second.rest()
    const task = second.start()
    await second.rest()
    await first.rest()
    await second.rest(12)
    await first.rest()
    await expect(task.unwrap()).resolves.toEqual({ runId: task.runId })
    expect(server.requests).toHaveLength(1)
    expect([first.isFollowing(), second.isFollowing()]).toEqual([true, false])
    expect(first.state()).toEqual(replayed)
    expect(second.state()).toEqual(replayed)
    expect(browser.locks().filter((name) => name.includes(':owner:'))).toHaveLength(1)
  })

  it('starts a run while another one is read, which is read on here from its cursor', async () => {
    const { server, first, second, rest } = await openTwo({ hangAfterEvents: [40, 50, 0] })
    void second.start('More')
    await rest()
    await rest()
    expect(server.requests.slice(1)).toEqual([
      { kind: 'resume', runId: 'r1', after: 40 },
      expect.objectContaining({ kind: 'start', runId: 'r2' }),
    ])
    expect(first.isFollowing()).toBe(true)
    expect(first.state()).toEqual(second.state())
  })

  it('is told where another tab reads what cannot be read on here, and goes on once that has ended', async () => {
    const gate = createGate()
    const events = createShortRun('r1')
    const steps = [{ events: events.slice(0, 4) }, { gate }, { events: events.slice(4) }]
    const { first, second, rest, start } = await openPlain({ steps })
    void start(first)
    await rest()
    const refused = start(second)
    await rest()
    await rest()
    await expect(refused.unwrap()).rejects.toMatchObject({ code: 'other_tab' })
    expect(second.connection()).toMatchObject({ state: 'connected' })
    expect(first.connection()).toMatchObject({ state: 'connected' })
    gate.open()
    await rest()
    expect(second.state().runs.r1).toMatchObject({ status: 'completed' })
    void start(second)
    await rest()
    await rest()
    expect(second.provider.calls.opens).toHaveLength(1)
  })

  it('removes the session for certain, also while it is denied a start of its own', async () => {
    const events = createShortRun('r1')
    const steps = [{ events: events.slice(0, 4) }, { gate: createGate() }]
    const { first, second, rest, start } = await openPlain({ steps })
    void start(first)
    await rest()
    void start(second)
    const removal = second.store.dispatch(second.agent.actions.removeSession({ sessionId: 's1' }))
    await rest()
    await rest()
    await expect(removal.unwrap()).resolves.toBeUndefined()
    expect([first, second].map((page) => page.state().runs.r1)).toEqual([undefined, undefined])
  })

  it('stops the run of the other tab, which both show as stopped, and nothing reads it', async () => {
    const { server, first, second, rest } = await openTwo()
    second.store.dispatch(second.agent.actions.abortRun({ sessionId: 's1' }))
    await rest()
    expect(first.connection()).toMatchObject({ state: 'idle', detached: true, canResume: true })
    expect(second.connection()).toEqual(first.connection())
    first.tab.close()
    await second.rest()
    expect(second.isFollowing()).toBe(false)
    expect(server.requests).toHaveLength(1)
  })

  it('continues a run that was stopped, in this tab', async () => {
    const { server, first, second, rest } = await openTwo()
    first.store.dispatch(first.agent.actions.abortRun({ runId: 'r1' }))
    await rest()
    const task = second.store.dispatch(second.agent.actions.resumeRun({ runId: 'r1' }))
    await rest()
    await rest()
    await task.unwrap()
    expect(server.requests.slice(1)).toEqual([{ kind: 'resume', runId: 'r1', after: 40 }])
    expect(second.state()).toEqual(replayed)
    expect(first.state()).toEqual(replayed)
    expect(first.isFollowing()).toBe(true)
  })

  it('continues a run once, however often and in however many tabs that is asked for at once', async () => {
    const { server, first, second, rest } = await openTwo({ hangAfterEvents: [40, 50] })
    first.store.dispatch(first.agent.actions.abortRun({ runId: 'r1' }))
    await rest()
    const resume = (page: typeof first) => page.store.dispatch(page.agent.actions.resumeRun({ runId: 'r1' }))
    const tasks = [resume(second), resume(second), resume(first), resume(first)]
    await rest()
    await rest()
    // Who asked last has it: it was open in the other one for a moment at the most.
    expect([first.isFollowing(), second.isFollowing()].filter((isFollowing) => !isFollowing)).toHaveLength(1)
    const open = server.requests.slice(1)
    expect(open.length).toBeLessThanOrEqual(2)
    expect(first.connection()).toMatchObject({ state: 'connected' })
    expect(second.connection()).toEqual(first.connection())
    for (const page of [first, second]) page.store.dispatch(page.agent.actions.abortRun({ sessionId: 's1' }))
    await rest()
    for (const task of tasks) await expect(task.unwrap()).resolves.toEqual({ runId: 'r1' })
  })

  it('decides: the command is sent from here, once, and both have what came of it', async () => {
    const model = createTabModel(['ask', 'say'])
    const settle = async () => {
      await model.rest()
      model.browser.deliverAll()
      await model.rest()
    }
    model.open(0)
    model.open(1)
    await settle()
    model.act(0, 'start')
    await settle()
    model.server.advance()
    model.server.advance()
    model.server.deliver(10)
    await settle()
    model.act(1, 'decide')
    await settle()
    model.server.answer()
    await settle()
    model.server.answer()
    await settle()
    expect(model.server.sent).toHaveLength(1)
    for (const page of model.pages) expect(model.stateOf(page!).approvals['2:r1:x1']).toMatchObject({ decision: 'approved' })
    expect(model.browser.kinds()).toContain('handed')
    expect(model.opens).toHaveLength(1)
    expect(await model.settle()).toBe(true)
    for (const page of model.pages) expect(model.stateOf(page!)).toEqual(model.replayed())
  })

  it('removes the session: it is clean in both tabs, and nothing reads its run', async () => {
    const { storage, first, second, rest } = await openTwo()
    const task = second.store.dispatch(second.agent.actions.removeSession({ sessionId: 's1' }))
    await rest()
    await task.unwrap()
    await rest()
    for (const page of [first, second]) {
      expect(Object.keys(page.state().runs)).toEqual([])
      expect(page.connection()).toBeUndefined()
    }
    expect(storage.texts.size).toBe(0)
    first.hide()
    second.hide()
    expect(storage.texts.size).toBe(0)
  })

  it('removes a session that is open in the other tab alone', async () => {
    const { storage, first, second, rest, browser } = await openTwo()
    second.tab.close()
    const tab = browser.createTab()
    const third = createPage({ fetch, storage, ids: ['tab-c'], environment: tab.environment })
    await third.store.dispatch(third.agent.actions.removeSession({ sessionId: 's1' })).unwrap()
    await rest()
    expect(Object.keys(first.state().runs)).toEqual([])
    first.hide()
    await first.rest()
    expect(storage.texts.size).toBe(0)
  })

  it('answers a run that waits for it: what the answer goes on with is read in this tab', async () => {
    const run = createRun('r1')
    const steps = [{ events: [run.create('run.started', {}), run.create('approval.requested', { approvalId: 'a1' })] }]
    const answer = [
      run.create('approval.resolved', { approvalId: 'a1', decision: 'approved' }),
      run.create('message.started', { messageId: 'm1', role: 'assistant', content: 'Done' }),
      run.create('message.completed', { messageId: 'm1' }),
      run.create('run.completed', {}),
    ]
    const commands = { 'approval.resolve': answer.map((event) => ({ events: [event] })) }
    const { first, second, rest, start } = await openPlain({ steps, commands })
    void start(first)
    await rest()
    expect(second.connection()).toMatchObject({ state: 'idle' })
    const decision = { runId: 'r1', approvalId: 'a1', decision: 'approved' } as const
    const task = second.store.dispatch(second.agent.actions.resolveApproval(decision))
    await rest()
    await rest()
    await task.unwrap()
    await rest()
    expect([first, second].map(({ provider }) => provider.calls.commands.length)).toEqual([0, 1])
    expect(first.isFollowing()).toBe(true)
    expect(second.state().runs.r1).toMatchObject({ status: 'completed' })
    expect(first.state()).toEqual(second.state())
  })

  it('sends no answer that waited for the session once the person cancelled the run, or left', async () => {
    const run = createRun('r1')
    const steps = [{ events: [run.create('run.started', {}), run.create('approval.requested', { approvalId: 'a1' })] }]
    for (const way of ['cancel', 'leave'] as const) {
      const { first, second, rest, start } = await openPlain({
        steps,
        commands: { 'approval.resolve': [], 'run.cancel': [{ events: (events) => [events.create('run.cancelled', {})] }] },
      })
      void start(first)
      await rest()
      const { resolveApproval, cancelRun, abortCommands } = second.agent.actions
      const task = second.store.dispatch(resolveApproval({ runId: 'r1', approvalId: 'a1', decision: 'approved' }))
      // Its turn has come, the session has not.
      for (let step = 0; step < 5; step += 1) await Promise.resolve()
      if (way === 'cancel') void second.store.dispatch(cancelRun({ runId: 'r1' }))
      else second.store.dispatch(abortCommands({ sessionId: 's1' }))
      await rest()
      await rest()
      await expect(task.unwrap()).rejects.toMatchObject({ code: 'interrupted' })
      expect(second.provider.calls.commands.map(({ type }) => type)).toEqual(way === 'cancel' ? ['run.cancel'] : [])
    }
  })
})
