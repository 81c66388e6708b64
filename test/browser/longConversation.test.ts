import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { measureTasks } from './support/measureTasks.ts'
import { serveLongConversation } from './support/serveLongConversation.ts'
import { stageDemo } from './support/stageDemo.ts'

const stage = stageDemo({ tokenDelay: 4 })

const openLong = async (messages: number) => {
  const context = await stage.browser.newContext({ viewport: { width: 1280, height: 800 } })
  await serveLongConversation(context, { messages })
  const opened = await stage.open({
    context,
    initScript: () => {
      localStorage.setItem('folio.conversation', 'long')
      localStorage.setItem('folio.conversation.started', 'long')
    },
  })
  await opened.page.getByText(`Answer ${messages / 2}.`).waitFor()
  return { ...opened, scroller: opened.page.getByRole('region', { name: 'Conversation' }) }
}

const nextFrame = (page: Page) =>
  page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))))

const countRows = (page: Page) => page.locator('.assistant-run').count()

/** Turns the wheel upwards for a while, and says what that cost the page's main thread, in milliseconds. */
const measureScrolling = async (messages: number) => {
  const { page, scroller } = await openLong(messages)
  const tasks = await measureTasks({ browser: stage.browser, page }, async () => {
    for (let turn = 0; turn < 30; turn += 1) {
      await scroller.hover()
      await page.mouse.wheel(0, -250)
      await nextFrame(page)
      expect(await countRows(page)).toBeLessThan(40)
    }
  })
  return tasks.reduce((sum, task) => sum + task, 0)
}

describe('a conversation of 10,000 messages', () => {
  it('shows the newest at once and scrolls back through all of them', async () => {
    const { page, problems, scroller } = await openLong(10_000)
    // To the very first, a page at a time.
    await page.evaluate(() => {
      const goUp = () => {
        document.querySelector('.chat-scroll')!.scrollTo(0, 0)
        requestAnimationFrame(goUp)
      }
      window.addEventListener('wheel', goUp, { once: true })
    })
    await scroller.hover()
    await page.mouse.wheel(0, -250)
    await page.getByText('Answer 1.', { exact: true }).waitFor()
    expect(await countRows(page)).toBeLessThan(40)
    expect(problems).toEqual([])
  })

  it('costs about what one of 1,000 costs to scroll', async () => {
    const small = await measureScrolling(1_000)
    const large = await measureScrolling(10_000)
    expect(large / small).toBeLessThan(3)
  })
})

describe('older messages', () => {
  it('come in for a reader who is back at the start before the next frame', async () => {
    const { page, scroller } = await openLong(3_000)
    // In the task that lays out what came in, hence before any scroll is told of.
    await page.evaluate(() => {
      const box = document.querySelector('.chat-scroll')!
      const goUp = () => box.scrollTo(0, 0)
      window.addEventListener('wheel', goUp, { once: true })
      new MutationObserver(goUp).observe(box.querySelector('.conversation')!, { attributeFilter: ['style'] })
    })
    await scroller.hover()
    await page.mouse.wheel(0, -250)
    await page.getByText('Answer 1.', { exact: true }).waitFor()
    expect(await countRows(page)).toBeLessThan(40)
  })

  it('leave in place what is read while they come in before it', async () => {
    const { page, scroller } = await openLong(400)
    await scroller.hover()
    await page.mouse.wheel(0, -100_000)
    await page.getByText('Answer 175.', { exact: true }).waitFor({ state: 'attached' })
    const read = page.getByText('Answer 176.', { exact: true })
    await read.waitFor()
    // Whatever came in before it, it stays in view.
    const box = (await read.boundingBox())!
    const view = (await scroller.boundingBox())!
    expect(box.y).toBeGreaterThan(view.y - 400)
    expect(box.y).toBeLessThan(view.y + view.height + 400)
  })

  it('that do not come are told of, and asked for again by the reader alone', async () => {
    const { page, scroller } = await openLong(400)
    let requests = 0
    await page.route('**/api/agent/conversations/long?before=*', (route) => {
      requests += 1
      return requests === 1 ? route.abort() : route.fallback()
    })
    await scroller.hover()
    await page.mouse.wheel(0, -100_000)
    const note = page.getByRole('alert').filter({ hasText: 'What was before could not be loaded.' })
    await note.waitFor()
    await page.mouse.wheel(0, 500)
    await page.mouse.wheel(0, -500)
    await nextFrame(page)
    expect(requests).toBe(1)
    await note.getByRole('button', { name: 'Try again' }).click()
    await page.getByText('Answer 175.', { exact: true }).waitFor({ state: 'attached' })
    expect(await note.count()).toBe(0)
  })
})
