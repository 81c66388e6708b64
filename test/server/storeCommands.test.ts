import type { AgentCommand, AgentEvent } from 'redux-agent'
import { afterEach, describe, expect, it } from 'vitest'
import { createGate } from './support/createScriptedModel.ts'
import { createStoreTab, type CommandRoute } from './support/createStoreTab.ts'
import { startTestServer, type TestServer } from './support/startTestServer.ts'

let server: TestServer | undefined
afterEach(async () => {
  await server?.close()
  server = undefined
})

const change = 'Add a section about parking to the onboarding guide.'
const count = (log: readonly AgentEvent[], type: AgentEvent['type']) =>
  log.filter((event) => event.type === type).length
/** How often the tool that was asked about was decided on, started and done. */
const countWork = (log: readonly AgentEvent[]) => {
  const asked = log.flatMap((event) => (event.type === 'approval.requested' ? [event.payload.toolCallId] : []))
  const work = log.filter(({ payload }) => 'toolCallId' in payload && asked.includes(payload.toolCallId))
  return [count(log, 'approval.resolved'), count(work, 'tool.running'), count(work, 'tool.completed')]
}

/** A tab with a run that asks before it changes a document. */
async function openTab(prompt = change, route?: CommandRoute) {
  server = await startTestServer()
  const browser = server.createBrowser()
  const tab = createStoreTab({ url: server.url, browser, ...(route && { route }) })
  const main = tab.start(prompt)
  const { id: approvalId } = await tab.whenAsked()
  const { runId } = main
  const guide = async () => (await browser.request<{ version: number }>('GET', '/api/documents/onboarding-guide')).body
  const decide = (decision: 'approved' | 'rejected' = 'approved') =>
    tab.dispatch(tab.actions.resolveApproval({ runId, approvalId, decision }))
  return { ...tab, main, runId, approvalId, browser, guide, decide }
}

const lose = () => new TypeError('The answer was lost.')

describe('a store’s commands at the run server', () => {
  it('a double click is one command, and the tool runs once', async () => {
    const tab = await openTab()
    const [first, second] = [tab.decide(), tab.decide()]
    await expect(second.unwrap()).rejects.toMatchObject({ code: 'already_submitted' })
    await first.unwrap()
    await tab.main.unwrap()
    expect(tab.commands).toHaveLength(1)
    expect(tab.commandStates()).toMatchObject([{ status: 'succeeded' }])
    expect(tab.state()).toEqual(await tab.replayed(tab.runId))
    expect(await tab.guide()).toMatchObject({ version: 2 })
  })

  it('a request that the network delivers twice is executed once', async () => {
    const tab = await openTab(change, async (send) => {
      const [answer] = await Promise.all([send(), send()])
      return answer
    })
    await tab.decide().unwrap()
    await tab.main.unwrap()
    const log = await tab.log(tab.runId)
    expect(countWork(log)).toEqual([1, 1, 1])
    expect(await tab.guide()).toMatchObject({ version: 2 })
  })

  it('a lost answer and a retry under the same key execute the tool once', async () => {
    let isLost = true
    const tab = await openTab(change, async (send) => {
      const answer = await send()
      if (!isLost) return answer
      isLost = false
      await answer.arrayBuffer()
      throw lose()
    })
    // The page has let go of its wire, so that no other channel tells of the decision.
    tab.dispatch(tab.actions.abortRun({ runId: tab.runId }))
    await tab.main
    await expect(tab.decide().unwrap()).rejects.toMatchObject({ code: 'network' })
    expect(tab.commandStates()).toMatchObject([
      { status: 'failed', error: { code: 'provider_error', reason: 'network', retryable: true } },
    ])
    expect(tab.state().approvals).toMatchObject({ [Object.keys(tab.state().approvals)[0]!]: { status: 'waiting' } })
    await tab.decide().unwrap()
    expect(tab.commands.map(({ idempotencyKey }) => idempotencyKey)).toEqual(
      Array(2).fill(tab.commands[0]!.idempotencyKey),
    )
    expect(tab.commandStates()).toMatchObject([{ status: 'succeeded' }])
    await tab.dispatch(tab.actions.resumeRun({ runId: tab.runId })).unwrap()
    const log = await tab.log(tab.runId)
    expect(countWork(log)).toEqual([1, 1, 1])
    expect(tab.state()).toEqual(await tab.replayed(tab.runId))
    expect(await tab.guide()).toMatchObject({ version: 2 })
  })

  it('a lost answer whose fact the stream brings has succeeded', async () => {
    const told = createGate()
    const tab = await openTab(change, async (send) => {
      await (await send()).arrayBuffer()
      await told.opened
      throw lose()
    })
    const task = tab.decide()
    await tab.when(() => Object.values(tab.state().approvals).some(({ decision }) => decision === 'approved'))
    told.open()
    await task.unwrap()
    await tab.main.unwrap()
    expect(tab.commandStates()).toMatchObject([{ status: 'succeeded' }])
    expect(tab.commands).toHaveLength(1)
  })

  it('a rejection after an approval: one decision stands, and the loser is told which', async () => {
    const others: AgentCommand[] = []
    const tab = await openTab(change, async (send, { command }) => {
      // Another tab of the person is faster by a moment.
      const approve = tab.browser
        .commands(command.runId)
        .create('approval.resolve', { approvalId: tab.approvalId, decision: 'approved' })
      others.push(approve)
      expect((await tab.browser.command(approve)).status).toBe(200)
      return send()
    })
    await expect(tab.decide('rejected').unwrap()).rejects.toMatchObject({ code: 'conflict', decision: 'approved' })
    expect(tab.commandStates()).toMatchObject([
      {
        status: 'failed',
        error: {
          code: 'provider_error',
          reason: 'conflict',
          retryable: false,
          decision: 'approved',
          message: 'run-server: It was decided already: approved.',
        },
      },
    ])
    expect(Object.values(tab.state().approvals)).toMatchObject([{ decision: 'approved' }])
    await tab.main.unwrap()
    const log = await tab.log(tab.runId)
    expect(count(log, 'approval.resolved')).toBe(1)
    expect(tab.state()).toEqual(await tab.replayed(tab.runId))
    expect(tab.commandStates()).toMatchObject([{ status: 'failed', error: { decision: 'approved' } }])
    expect(others).toHaveLength(1)
    expect(await tab.guide()).toMatchObject({ version: 2 })
  })

  it('a cancel goes past a resolve that hangs, and no tool starts', async () => {
    const hung = createGate()
    const tab = await openTab(change, (send, { command, signal }) => {
      if (command.type === 'run.cancel') return send()
      hung.open()
      return new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error)))
    })
    const hanging = tab.decide()
    await hung.opened
    await tab.dispatch(tab.actions.cancelRun({ runId: tab.runId, reason: 'Enough' })).unwrap()
    expect(tab.state().runs[tab.runId]).toMatchObject({ status: 'cancelled', reason: 'Enough' })
    await tab.main.unwrap()
    tab.fireTimers(10_000)
    await expect(hanging.unwrap()).rejects.toMatchObject({ code: 'command_timeout', retryable: false })
    expect(tab.commandStates().map(({ status }) => status)).toEqual(['failed', 'succeeded'])
    const log = await tab.log(tab.runId)
    expect(countWork(log).slice(1)).toEqual([0, 0])
    expect(tab.state()).toEqual(await tab.replayed(tab.runId))
    expect(await tab.guide()).toMatchObject({ version: 1 })
  })

  it('a retry makes a new attempt, once, however often it is clicked and delivered', async () => {
    const tab = await openTab('Publish the release notes', async (send, { command }) => {
      const answer = await send()
      if (command.type === 'tool.retry') await (await send()).arrayBuffer()
      return answer
    })
    await tab.decide().unwrap()
    const failed = () => Object.values(tab.state().toolCalls).find(({ status }) => status === 'failed')
    await tab.when(() => failed() !== undefined)
    const { id: toolCallId } = failed()!
    const retry = () => tab.dispatch(tab.actions.retryTool({ runId: tab.runId, toolCallId }))
    const [first, second] = [retry(), retry()]
    await expect(second.unwrap()).rejects.toMatchObject({ code: 'already_submitted' })
    await first.unwrap()
    await tab.main.unwrap()
    const attempts = Object.values(tab.state().toolCalls).filter(({ name }) => name === 'publish_document')
    expect(attempts).toMatchObject([
      { id: toolCallId, attempt: 1, status: 'failed' },
      { attempt: 2, retryOf: toolCallId, status: 'completed' },
    ])
    expect(tab.state()).toEqual(await tab.replayed(tab.runId))
    await expect(retry().unwrap()).rejects.toMatchObject({ code: 'run_ended' })
  })
})
