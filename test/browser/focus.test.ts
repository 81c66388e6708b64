import type { Locator } from 'playwright-core'
import { createGate } from 'redux-agent/testing'
import { describe, expect, it } from 'vitest'
import { stageDemo } from './support/stageDemo.ts'

const stage = stageDemo({ tokenDelay: 8 })

const isFocused = (element: Locator) => element.evaluate((node) => node === document.activeElement)
const expectFocus = (element: Locator) => expect.poll(() => isFocused(element)).toBe(true)

describe('the keyboard’s first stop', () => {
  it.each([1280, 390])('leads past the list to the assistant and to the document, at %s pixels', async (width) => {
    const { page, ui } = await stage.open({ viewport: { width, height: 844 } })
    await page.keyboard.press('Tab')
    await expectFocus(ui.button('Skip to the assistant'))
    await page.keyboard.press('Enter')
    await expectFocus(ui.field)
    await ui.button('Skip to the document').focus()
    await page.keyboard.press('Enter')
    await expectFocus(page.getByRole('region', { name: 'Editor' }))
  })
})

describe('Ctrl+/', () => {
  it('leads to the assistant’s field from anywhere, also where the assistant is closed or shows its conversations', async () => {
    const { page, ui } = await stage.open()
    const text = page.getByLabel('Text, in Markdown')
    await text.focus()
    await page.keyboard.press('Control+/')
    await expectFocus(ui.field)
    await ui.button('Conversations').click()
    await page.keyboard.press('Control+/')
    await expectFocus(ui.field)
    await ui.button('Assistant').click()
    await ui.field.waitFor({ state: 'hidden' })
    await text.focus()
    await page.keyboard.press('Control+/')
    await expectFocus(ui.field)
  })
})

describe('“New conversation”', () => {
  it('is no dead button: it leads to the field of a new one, and says why it cannot while a run is at work', async () => {
    const { page, ui } = await stage.open()
    await ui.button('New conversation').click()
    await expectFocus(ui.field)
    const rest = stage.model.holdAt({ answer: 2, of: 'text', after: 0 })
    await ui.ask('What is the limit for hotels?')
    await expect.poll(() => ui.button('New conversation').getAttribute('title')).toMatch(/Stop or cancel the run first/)
    await ui.button('New conversation').focus()
    await expectFocus(ui.button('New conversation'))
    await page.keyboard.press('Enter')
    rest.open()
    await ui.says('Run completed').waitFor()
    await expect.poll(() => ui.button('New conversation').getAttribute('title')).toBe('New conversation')
  })
})

describe('what a button was for goes with it, and the focus', () => {
  it('is at the first line that a fold of the difference hid', async () => {
    const { page, ui } = await stage.open()
    await ui.ask('Replace "160 euros" with "175 euros" in the travel policy')
    await ui.button('Approve').waitFor()
    const fold = page.locator('.document-diff-fold button').first()
    await fold.focus()
    await page.keyboard.press('Enter')
    await expectFocus(page.locator('.document-diff-line').first())
  })

  it('is in the text once a conflict is decided', async () => {
    const { page, ui } = await stage.open()
    const text = page.getByLabel('Text, in Markdown')
    for (const choice of [/^Keep mine$/, /^Take version/]) {
      let isFirst = true
      await page.route('**/api/documents/travel-policy', async (route) => {
        if (route.request().method() !== 'PATCH' || !isFirst) return route.continue()
        isFirst = false
        // Somebody else was first.
        await route.fetch({ postData: { ...route.request().postDataJSON(), content: `Theirs ${String(choice)}` } })
        await route.continue()
      })
      await text.fill(`Mine ${String(choice)}`)
      await ui.says('This document was changed elsewhere').waitFor()
      const button = page.getByRole('button', { name: choice })
      await expect.poll(() => button.isEnabled()).toBe(true)
      await button.focus()
      await page.keyboard.press('Enter')
      await ui.says('This document was changed elsewhere').waitFor({ state: 'detached' })
      await expectFocus(text)
      await ui.says('Saved').waitFor()
      await page.unroute('**/api/documents/travel-policy')
    }
  })

  it('is in the text once a save that failed is tried again', async () => {
    const { page, ui } = await stage.open()
    const text = page.getByLabel('Text, in Markdown')
    await page.route('**/api/documents/travel-policy', (route) =>
      route.request().method() === 'GET' ? route.continue() : route.abort(),
    )
    await text.fill('Mine')
    await ui.says('Not saved. Your text is kept on this page.').waitFor()
    await page.unroute('**/api/documents/travel-policy')
    await ui.button('Try again').focus()
    await page.keyboard.press('Enter')
    await ui.says('Saved').waitFor()
    await expectFocus(text)
  })

  it('is where it came from once a notice is dismissed', async () => {
    const { page, ui } = await stage.open()
    await page.route('**/api/documents', (route) =>
      route.request().method() === 'POST' ? route.abort() : route.continue(),
    )
    await ui.button('New document').focus()
    await page.keyboard.press('Enter')
    await ui.says('The document could not be created').waitFor()
    await ui.field.focus()
    await ui.button('Dismiss').focus()
    await page.keyboard.press('Enter')
    await expectFocus(ui.field)
  })

  it('is in the list’s column once the list is loaded again', async () => {
    const { page, ui } = await stage.open()
    await page.route('**/api/agent/conversations*', (route) => route.abort())
    await ui.button('Conversations').click()
    await ui.says('The conversations could not be loaded').waitFor()
    await page.unroute('**/api/agent/conversations*')
    await ui.button('Try again').focus()
    await page.keyboard.press('Enter')
    await ui.says('There are no conversations yet').waitFor()
    await expectFocus(page.getByRole('region', { name: 'Assistant' }))
  })

  it('stays at “Show older ones” while they are fetched, and asks for them once', async () => {
    const { page, ui } = await stage.open()
    const gate = createGate()
    let asked = 0
    await page.route('**/api/agent/conversations*', async (route) => {
      const entry = (id: string, title: string) => ({ id, title, createdAt: 1, updatedAt: 1 })
      if (!new URL(route.request().url()).searchParams.has('before')) {
        return route.fulfill({ json: { conversations: [entry('c2', 'Newer')], nextCursor: 'older' } })
      }
      asked += 1
      await gate.opened
      await route.fulfill({ json: { conversations: [entry('c1', 'Earlier')] } })
    })
    await ui.button('Conversations').click()
    const older = ui.button('Show older ones')
    await older.focus()
    await page.keyboard.press('Enter')
    await expect.poll(() => older.getAttribute('aria-disabled')).toBe('true')
    await expectFocus(older)
    await page.keyboard.press('Enter')
    gate.open()
    await ui.says('Earlier').waitFor()
    expect(asked).toBe(1)
    await expectFocus(page.getByRole('region', { name: 'Assistant' }))
  })
})
