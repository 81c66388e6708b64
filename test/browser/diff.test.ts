import { describe, expect, it } from 'vitest'
import { stageDemo } from './support/stageDemo.ts'

const stage = stageDemo({ tokenDelay: 4 })

describe('a difference with several separate changes', () => {
  it.each([
    ['1280 pixels', 1280, 800],
    ['390 pixels', 390, 844],
  ])('says how many begin below what is in view, at %s', async (_size, width, height) => {
    const { page, problems, ui } = await stage.open({ viewport: { width, height } })
    if (width < 1000) await ui.button('Assistant').click()
    await ui.ask('Replace "lead" with "manager" in the travel policy')
    await ui.button('Approve').waitFor()
    const box = page.locator('.document-diff-scroll')
    const note = page.locator('.document-diff-rest')
    await note.waitFor()

    /** How many changes begin below the clear part of the box, by where their first new words are. */
    const countBelow = () =>
      box.evaluate((view) => {
        const { bottom } = view.getBoundingClientRect()
        const marks = [...view.querySelectorAll('[data-kind="added"]')].map((line) => line.querySelector('ins') ?? line)
        return marks.filter((mark) => mark.getBoundingClientRect().bottom > bottom - 48).length
      })
    const tell = (count: number) => (count === 1 ? '1 more change below' : `${count} more changes below`)
    // The box grows until its first new words are in clear view, and the note is told of that later.
    await expect.poll(async () => (await note.textContent()) === tell(await countBelow())).toBe(true)
    const below = await countBelow()
    expect(await ui.added.count()).toBe(4)
    expect(below).toBeGreaterThan(0)
    expect(below).toBeLessThan(4)
    const getDescription = () =>
      ui.button('Show all').evaluate((button) => {
        return document.getElementById(button.getAttribute('aria-describedby') ?? '')?.textContent
      })
    await expect.poll(getDescription).toBe(await note.textContent())

    await box.evaluate((view) => void view.scrollTo(0, view.scrollHeight))
    await note.waitFor({ state: 'detached' })
    await box.evaluate((view) => void view.scrollTo(0, 0))
    await note.waitFor()
    await ui.button('Show all').click()
    await note.waitFor({ state: 'detached' })
    expect(problems).toEqual([])
  })
})
