import type { Page } from 'playwright-core'
import { describe, expect, it, onTestFinished } from 'vitest'
import { countChangedPixels } from './support/countChangedPixels.ts'
import { stageDemo } from './support/stageDemo.ts'
import { waitForRest } from './support/waitForRest.ts'

const stage = stageDemo({ tokenDelay: 8 })

/** Opens the window that "Watch in a window" opens. */
const openWatcher = async (page: Page, problems: string[]) => {
  const [watcher] = await Promise.all([
    page.context().waitForEvent('page'),
    page.getByRole('link', { name: 'Watch in a window' }).click(),
  ])
  watcher.on('console', (message) => {
    const isAboutTheMachine = /Middleware took \d+ms/.test(message.text())
    if (['error', 'warning'].includes(message.type()) && !isAboutTheMachine) problems.push(message.text())
  })
  watcher.on('pageerror', (error) => problems.push(String(error)))
  const requests: string[] = []
  watcher.on('request', (request) => requests.push(`${request.method()} ${new URL(request.url()).pathname}`))
  return { watcher, requests }
}

describe('a run that one window drives and another watches', () => {
  it('is shown in both to its end; the watcher is reloaded in the midst of it, and only reads', async () => {
    const { page, ui, server, problems } = await stage.open()
    const seen: string[] = []
    const rest = stage.model.holdAt({ answer: 0, of: 'reasoning', after: 10 })
    const runId = await ui.ask('Replace "160 euros" with "175 euros" in the travel policy')
    const { watcher, requests } = await openWatcher(page, seen)
    await watcher.getByText('Watching live').waitFor()
    await watcher.locator('.agent-reasoning').first().waitFor()
    await watcher.reload()
    await watcher.getByText('Watching live').waitFor()
    rest.open()
    // It sees the question, and cannot answer it.
    await watcher.getByText('Approval needed', { exact: true }).waitFor()
    await watcher.getByText('Waiting for an answer', { exact: true }).waitFor()
    expect(await watcher.getByRole('button', { name: 'Approve', exact: true }).count()).toBe(0)

    await ui.button('Approve').click()
    await ui.says('Run completed').waitFor()
    await watcher.getByText('Run completed').waitFor()
    await watcher.getByText('Ended').waitFor()
    const shown = async (of: Page) => ({
      texts: await of.locator('.assistant-run .agent-message-content').allTextContents(),
      tools: await of.locator('.agent-tool').count(),
    })
    await expect.poll(async () => [await shown(watcher)]).toEqual([await shown(page)])
    expect((await server.log(runId)).status).toBe('completed')
    expect(requests.filter((request) => request.startsWith('POST'))).toEqual([])
    expect([...problems, ...seen]).toEqual([])
  })

  it('is headed by its own question, not by the conversation’s first one', async () => {
    const { page, ui } = await stage.open()
    await ui.ask('What is the limit for hotels?')
    await ui.says('Run completed').waitFor()
    await ui.ask('Publish the travel policy')
    const { watcher } = await openWatcher(page, [])
    await watcher.getByRole('heading', { level: 1, name: 'Publish the travel policy' }).waitFor()
    await watcher.getByText('Approval needed', { exact: true }).waitFor()
    expect(await watcher.getByRole('heading', { level: 1 }).textContent()).toBe('Publish the travel policy')
  })

  it('is none of another person’s', async () => {
    const { ui } = await stage.open()
    const runId = await ui.ask('What is the limit for hotels?')
    const context = await stage.browser.newContext()
    onTestFinished(() => context.close())
    const stranger = await context.newPage()
    await stranger.goto(`${stage.demo.url}/#/watch/${runId}`)
    const refusal = stranger.getByText('There is no such run, or it is not yours to see.')
    await refusal.waitFor()
    expect(await stranger.locator('.agent-message').count()).toBe(0)
  })
})

describe('the end of a run', () => {
  it.each([1280, 390])('moves no row, and neither doubles nor replaces one, at %i pixels', async (width) => {
    const { page, ui, server, problems } = await stage.open({ viewport: { width, height: 800 } })
    if (width < 1000) await page.locator('.tab-bar-tab[data-panel="assistant"]').click()
    // The run is not over before it is watched.
    const rest = stage.model.holdAt({ answer: 3, of: 'text', after: 2 })
    await ui.ask('Replace "160 euros" with "175 euros" in the travel policy')
    await ui.button('Approve').click()
    await rest.reached
    // Told in the page itself: what happens between two looks from outside would be missed.
    await page.evaluate(() => {
      const rows = () => [...document.querySelectorAll('.assistant-run .agent-row')]
      const watched = window as unknown as { rows: () => Element[]; nodes: Element[]; faults: string[] }
      Object.assign(watched, { rows, nodes: [], faults: [] })
      const look = () => {
        const now = rows()
        if (watched.nodes.some((node, index) => node !== now[index])) watched.faults.push('a row is another node')
        watched.nodes = now
        requestAnimationFrame(look)
      }
      look()
    })
    expect(await ui.says('Run completed').count()).toBe(0)
    rest.open()
    await ui.says('Run completed').waitFor()
    const view = page.getByRole('region', { name: 'Conversation' })
    await page.mouse.move(0, 0)
    await waitForRest(view)
    const before = await view.screenshot({ animations: 'disabled', caret: 'hide' })
    const count = await page.locator('.agent-row').count()
    await expectReleased(page)
    await waitForRest(view)
    const after = await view.screenshot({ animations: 'disabled', caret: 'hide' })
    expect(await countChangedPixels({ browser: stage.browser, before, after }), 'pixels that look otherwise').toBe(0)
    expect(await page.locator('.agent-row').count()).toBe(count)
    expect(await page.evaluate(() => (window as unknown as { faults: string[] }).faults)).toEqual([])

    // Nor does a reload change what stands there.
    const texts = await page.locator('.agent-message-content').allTextContents()
    await page.reload()
    if (width < 1000) await page.locator('.tab-bar-tab[data-panel="assistant"]').click()
    await page.locator('.agent-row').nth(count - 1).waitFor()
    await expect.poll(() => page.locator('.agent-message-content').allTextContents()).toEqual(texts)
    expect(await server.document('travel-policy')).toMatchObject({ version: 2 })
    expect(problems).toEqual([])
  })
})

describe('the list of conversations', () => {
  it('leads back to what was said, and on from there', async () => {
    const { page, ui, problems } = await stage.open()
    await ui.ask('What is the limit for hotels?')
    await ui.says('Run completed').waitFor()
    await ui.button('New conversation').click()
    await ui.ask('What is the limit for meals?')
    await ui.says('Run completed').waitFor()
    await ui.button('Conversations').click()
    const list = page.getByRole('region', { name: 'Conversations' })
    await list.getByText('What is the limit for hotels?').waitFor()
    await page.keyboard.press('Escape')
    await list.waitFor({ state: 'detached' })
    await expect.poll(() => ui.button('Conversations').evaluate((button) => button === document.activeElement)).toBe(true)
    await page.keyboard.press('Enter')
    await list.getByText('What is the limit for hotels?').click()
    const texts = page.locator('.agent-message-content')
    await texts.first().filter({ hasText: 'What is the limit for hotels?' }).waitFor()
    await ui.says('Run completed').waitFor()
    await ui.ask('And for meals?')
    await page.waitForFunction(() => document.querySelectorAll('.run-status[data-phase="completed"]').length === 2)
    expect(await ui.run.count()).toBe(2)
    await page.reload()
    await page.waitForFunction(() => document.querySelectorAll('.run-status[data-phase="completed"]').length === 2)
    expect(problems).toEqual([])
  })
})

/** Waits until the page's state holds no run any more: then its checkpoint holds none either. */
const expectReleased = async (page: Page) => {
  await page.waitForFunction(() => {
    const keys = Object.keys(localStorage).filter((key) => !key.startsWith('folio.'))
    return keys.every((key) => !(localStorage.getItem(key) ?? '').includes('"status":"completed"'))
  })
}
