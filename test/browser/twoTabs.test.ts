import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { assistant } from './support/assistant.ts'
import { serverOf } from './support/serverOf.ts'
import { stageDemo } from './support/stageDemo.ts'

const stage = stageDemo({ tokenDelay: 8 })

/** What a page asked the run server for: streams, and commands. */
function watch(page: Page) {
  const streams: { resume?: { runId: string; lastAppliedSeq: number } }[] = []
  const commands: unknown[] = []
  page.on('request', (request) => {
    if (request.url().endsWith('/api/agent/stream')) streams.push(request.postDataJSON())
    if (request.url().endsWith('/api/agent/commands')) commands.push(request.postDataJSON())
  })
  return { page, streams, commands, ui: assistant(page) }
}

/** Two tabs of one person on one conversation. */
async function openTwo() {
  const workspace = await stage.open()
  const page = await workspace.page.context().newPage()
  const problems: string[] = []
  page.on('pageerror', (error) => problems.push(String(error)))
  await page.goto(workspace.page.url())
  await page.locator('.document-list-item', { hasText: 'Travel policy' }).waitFor()
  return { first: watch(workspace.page), second: watch(page), getProblems: () => [...workspace.problems, ...problems] }
}

/** Waits until both show the same: what is said to a screen reader is each page's own. */
async function expectSame(one: ReturnType<typeof watch>, other: ReturnType<typeof watch>) {
  const shown = async ({ page }: ReturnType<typeof watch>) => {
    // A page in the background is not laid out.
    await page.bringToFront()
    const texts = await page.locator('.agent-message-content, .agent-tool, .run-status').allTextContents()
    return texts.join('\n')
  }
  await expect.poll(async () => (await shown(one)) === (await shown(other))).toBe(true)
}

describe('two tabs on one conversation', () => {
  it('show the same live, and the second one goes on when the first is closed', async () => {
    const { first, second, getProblems } = await openTwo()
    const rest = stage.model.holdAt({ answer: 2, of: 'text', after: 20 })
    const runId = await first.ui.ask('Summarize the travel policy')
    await rest.reached
    await second.ui.answers(/.{40}/).waitFor()
    expect(second.streams).toEqual([])
    await first.page.close()
    await expect.poll(() => second.streams).toHaveLength(1)
    rest.open()
    await second.ui.says('Run completed').waitFor()

    expect(second.streams).toHaveLength(1)
    expect(second.streams[0]!.resume).toMatchObject({ runId })
    expect(second.streams[0]!.resume!.lastAppliedSeq).toBeGreaterThan(0)
    const { events } = await serverOf(second.page).log(runId)
    const messages = events.filter(({ event }) => event.type === 'message.started')
    await expect.poll(() => second.page.locator('.agent-message').count()).toBe(messages.length)

    const third = watch(await second.page.context().newPage())
    await third.page.goto(second.page.url())
    await third.ui.says('Run completed').waitFor()
    await expectSame(second, third)
    expect(third.streams).toEqual([])
    expect(getProblems()).toEqual([])
  })

  it('take a decision in the tab that follows', async () => {
    const { first, second, getProblems } = await openTwo()
    const runId = await first.ui.ask('Replace "160 euros" with "175 euros" in the travel policy')
    await second.ui.button('Approve').click()
    await Promise.all([first, second].map(({ ui }) => ui.says('Run completed').waitFor()))

    expect([first.commands.length, second.commands.length]).toEqual([0, 1])
    expect([first.streams.length, second.streams.length]).toEqual([1, 0])
    await expectSame(first, second)
    expect((await serverOf(first.page).log(runId)).status).toBe('completed')
    expect(getProblems()).toEqual([])
  })

  it('answer in the second one what was asked in the first, which is closed while it asks', async () => {
    const { first, second, getProblems } = await openTwo()
    const runId = await first.ui.ask('Replace "160 euros" with "175 euros" in the travel policy')
    await second.ui.button('Approve').waitFor()
    await first.page.close()
    await second.ui.button('Approve').click()
    await second.ui.says('Run completed').waitFor()

    expect(second.commands).toHaveLength(1)
    expect(second.streams.map(({ resume }) => resume?.runId)).toEqual([runId])
    const { events, status } = await serverOf(second.page).log(runId)
    expect(status).toBe('completed')
    expect(events.filter(({ event }) => event.type === 'approval.resolved')).toHaveLength(1)
    expect(getProblems()).toEqual([])
  })

  it('ask in the tab that follows', async () => {
    const { first, second, getProblems } = await openTwo()
    await second.ui.ask('Summarize the travel policy')
    await Promise.all([first, second].map(({ ui }) => ui.says('Run completed').waitFor()))
    expect([first.streams.length, second.streams.length]).toEqual([0, 1])
    await expectSame(first, second)
    expect(getProblems()).toEqual([])
  })
})
