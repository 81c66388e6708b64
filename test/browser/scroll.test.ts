import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { stageDemo } from './support/stageDemo.ts'
import { waitForRest } from './support/waitForRest.ts'

const stage = stageDemo({ tokenDelay: 0 })
const notch = 200
const questions = ['hotels', 'meals', 'trains', 'flights', 'taxis', 'parking'].map((of) => `What is the limit for ${of}?`)

const viewOf = (page: Page) => page.getByRole('region', { name: 'Conversation' })

/** Turns the wheel up by a notch, and gives how far what is read went down by it, and the furthest it went up. */
const turnUp = async (page: Page) => {
  const handle = await viewOf(page).evaluateHandle((view) => {
    const top = view.getBoundingClientRect().top
    const rows = [...view.querySelectorAll('.agent-row, .run-status')]
    const row = rows.find((candidate) => candidate.getBoundingClientRect().top >= top - 40)!
    const from = row.getBoundingClientRect().top
    const told = { row, from, topBefore: view.scrollTop, isWatched: true, least: 0 }
    const look = () => {
      told.least = Math.min(told.least, row.getBoundingClientRect().top - from)
      if (told.isWatched) requestAnimationFrame(look)
    }
    look()
    return told
  })
  await page.mouse.wheel(0, -notch)
  await viewOf(page).evaluate((view, told) => {
    return new Promise<void>((resolve) => {
      const look = () => (view.scrollTop !== told.topBefore ? resolve() : requestAnimationFrame(look))
      look()
    })
  }, handle)
  await waitForRest(viewOf(page))
  return handle.evaluate((told) => {
    told.isWatched = false
    return { went: Math.round(told.row.getBoundingClientRect().top - told.from), least: told.least, was: told.topBefore }
  })
}

/** Goes to the very start by the wheel, and fails where a turn moves what is read by anything but its own distance. */
const expectEvenWayUp = async (page: Page) => {
  await viewOf(page).hover()
  const isAtStart = () => viewOf(page).evaluate((view) => view.scrollTop === 0)
  const steps: Awaited<ReturnType<typeof turnUp>>[] = []
  while (!(await isAtStart())) {
    steps.push(await turnUp(page))
    expect(steps.length).toBeLessThan(60)
    const { went, least } = steps.at(-1)!
    const told = JSON.stringify(steps)
    expect(least, told).toBeGreaterThan(-2)
    if (await isAtStart()) break
    expect(Math.abs(went - notch), told).toBeLessThan(3)
  }
  expect(steps.length).toBeGreaterThan(5)
  expect(await page.getByText(questions[0]!, { exact: true }).count()).toBeGreaterThan(0)
}

/** Turns the wheel up by a few pixels, at the end, and fails where the page then goes back to the end by itself. */
const expectLeftAlone = async (page: Page) => {
  const getTop = () => viewOf(page).evaluate((view) => view.scrollTop)
  const end = await getTop()
  await viewOf(page).hover()
  await page.mouse.wheel(0, -8)
  await page.waitForFunction((top) => document.querySelector('.chat-scroll')!.scrollTop < top, end)
  await waitForRest(viewOf(page))
  const top = await getTop()
  await page.setViewportSize({ width: 1280, height: 700 })
  await waitForRest(viewOf(page))
  expect(await getTop()).toBe(top)
  await page.setViewportSize({ width: 1280, height: 800 })
  await waitForRest(viewOf(page))
}

const askAll = async () => {
  const opened = await stage.open()
  for (const question of questions) {
    await opened.ui.ask(question)
    await opened.page.waitForFunction(
      (text) => [...document.querySelectorAll('.assistant-run')].at(-1)?.textContent?.includes(text),
      question,
    )
    await opened.page.waitForFunction(
      () => [...document.querySelectorAll('.run-status')].at(-1)?.getAttribute('data-phase') === 'completed',
    )
  }
  return opened
}

describe('the way up through a conversation of several runs', () => {
  it('is even while the page holds them and after a reload, and nothing leads back down', async () => {
    const { page, problems } = await askAll()
    await waitForRest(viewOf(page))
    await expectLeftAlone(page)
    await expectEvenWayUp(page)

    await page.reload()
    await page.getByText(questions.at(-1)!, { exact: true }).first().waitFor()
    await waitForRest(viewOf(page))
    await expectEvenWayUp(page)
    expect(problems).toEqual([])
  })
})

describe('a turn of the wheel up in the very frame in which the conversation grows', () => {
  it('ends the following, however much came in', async () => {
    const { page, ui } = await stage.open()
    await ui.ask('Summarize the travel policy')
    await ui.says('Run completed').waitFor()
    await waitForRest(viewOf(page))
    const { asked, got } = await viewOf(page).evaluate(async (view) => {
      const content = view.firstElementChild!
      const grow = () => {
        const more = document.createElement('div')
        more.style.height = '500px'
        content.append(more)
      }
      const waitForFrames = async () => {
        for (let frame = 0; frame < 3; frame += 1) await new Promise(requestAnimationFrame)
      }
      grow()
      await waitForFrames()
      // Told after the page's own observer, and before any scroll is: as both come to a page that is slow.
      const end = view.scrollTop
      const turned = new Promise<number>((resolve) => {
        const observer = new ResizeObserver(() => {
          if (view.scrollTop === end) return
          observer.disconnect()
          view.dispatchEvent(new WheelEvent('wheel', { deltaY: -200 }))
          view.scrollTop -= 200
          resolve(view.scrollTop)
        })
        observer.observe(content)
      })
      grow()
      const top = await turned
      await waitForFrames()
      grow()
      await waitForFrames()
      return { asked: top, got: view.scrollTop }
    })
    expect(got).toBe(asked)
    await ui.button('Jump to the latest').waitFor()
  })
})
