import type { Locator } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { stageDemo } from './support/stageDemo.ts'
import { waitForRest } from './support/waitForRest.ts'

const stage = stageDemo({ tokenDelay: 8 })

const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }
const replaceLimit = 'Replace "160 euros" with "175 euros" in the travel policy'
const shorten = 'Shorten the incident runbook'
const isFocused = (element: Locator) => element.evaluate((node) => node === document.activeElement)
const isOpen = async (button: Locator) => (await button.getAttribute('aria-expanded')) === 'true'

const boxOf = async (element: Locator) => {
  const box = await element.boundingBox()
  if (!box) throw new Error('The element is not in view.')
  return box
}

describe('a double click', () => {
  it.each([
    ['1280 pixels', {}],
    ['390 pixels', { viewport: phone.viewport }],
  ])('on Send sends, and neither stops nor cancels what it began, at %s', async (_size, options) => {
    const { ui, server, page } = await stage.open(options)
    const rest = stage.model.holdAt({ answer: 2, of: 'text', after: 0 })
    if ('viewport' in options) await ui.button('Assistant').click()
    await ui.field.fill('What is the limit for hotels?')
    const request = page.waitForRequest((sent) => sent.url().endsWith('/api/agent/stream'))
    const before = await boxOf(ui.button('Send'))
    await ui.button('Send').dblclick({ delay: 40 })
    const { runId } = (await request).postDataJSON()
    await ui.button('Cancel run').waitFor()
    expect(await boxOf(ui.button('Send'))).toEqual(before)
    rest.open()
    await ui.says('Run completed').waitFor()
    expect((await server.log(runId)).status).toBe('completed')
  })

  it('takes no control by its second half', async () => {
    const { ui, server } = await stage.open()
    const rest = stage.model.holdAt({ answer: 2, of: 'text', after: 0 })
    const runId = await ui.ask('What is the limit for hotels?')
    await ui.button('Cancel run').dispatchEvent('click', { detail: 2 })
    await ui.button('Stop watching').dispatchEvent('click', { detail: 2 })
    rest.open()
    await ui.says('Run completed').waitFor()
    expect((await server.log(runId)).status).toBe('completed')
  })
})

describe('a message that starts nothing', () => {
  it.each([
    [404, 'The server does not know where the message belongs'],
    [409, 'The conversation has moved on at the server'],
    [413, 'The server did not take the message'],
  ])('refused with status %s comes back, and is told why', async (status, title) => {
    const { page, ui } = await stage.open()
    await page.route('**/api/agent/stream', (route) =>
      route.fulfill({ status, contentType: 'application/json', body: '{"code":"no","message":"No."}' }),
    )
    await ui.ask('What is the limit for hotels?')
    await ui.says(title).waitFor()
    await ui.says(`status ${status}`).waitFor()
    await expect.poll(() => ui.field.inputValue()).toBe('What is the limit for hotels?')
    await expect.poll(() => ui.button('Send').isEnabled()).toBe(true)
  })
})

describe('what the assistant did', () => {
  it('folds when it has ended and where the approval shows it, so that the question is in view', async () => {
    const { page, ui } = await stage.open()
    await ui.ask(shorten)
    await ui.button('Approve').waitFor()
    for (const button of await page.getByRole('button', { name: /^(Reasoning|Arguments)/ }).all()) {
      await expect.poll(() => isOpen(button)).toBe(false)
    }
    await waitForRest(page.getByRole('region', { name: 'Conversation' }))
    const view = await boxOf(page.getByRole('region', { name: 'Conversation' }))
    const asked = await boxOf(page.getByText('Approval needed', { exact: true }))
    expect(asked.y, 'where the question begins').toBeGreaterThanOrEqual(view.y)
    expect((await boxOf(ui.button('Approve'))).y).toBeLessThan(view.y + view.height)
  })

  it('stays open where the person opened it', async () => {
    const { page, ui } = await stage.open()
    // It is open while it streams, by itself.
    const rest = stage.model.holdAt({ answer: 0, of: 'reasoning', after: 10 })
    await ui.ask(replaceLimit)
    const reasoning = page.getByRole('button', { name: /^Reasoning/ }).first()
    await reasoning.click()
    await expect.poll(() => isOpen(reasoning)).toBe(false)
    await reasoning.click()
    await expect.poll(() => isOpen(reasoning)).toBe(true)
    rest.open()
    await ui.button('Approve').click()
    await ui.says('Run completed').waitFor()
    expect(await isOpen(reasoning)).toBe(true)
  })

  it('is told in words', async () => {
    const { ui } = await stage.open()
    await ui.ask(replaceLimit)
    await ui.button('Reject').click()
    await ui.says('Run completed').waitFor()
    expect(await ui.tool('document_update').textContent()).toContain('Change a document')
    expect(await ui.tool('document_update').textContent()).toContain('It was not approved')
  })
})

describe('the difference to approve', () => {
  it('that is cut off says so, shows all when asked to, and keeps the focus', async () => {
    const { page, ui } = await stage.open({ viewport: { width: 1280, height: 640 } })
    await ui.ask(shorten)
    await ui.button('Approve').waitFor()
    const lines = page.locator('.document-diff-scroll')
    const hidden = () => lines.evaluate((box) => box.scrollHeight - box.clientHeight)
    await expect.poll(hidden).toBeGreaterThan(20)
    await page.locator('.document-diff-view[data-more]').waitFor()
    await ui.button('Show all').focus()
    await page.keyboard.press('Enter')
    await ui.button('Show less').waitFor()
    await expect.poll(hidden).toBeLessThan(2)
    await expect.poll(() => lines.getAttribute('tabindex')).toBeNull()
    await expect.poll(() => isFocused(ui.button('Show less'))).toBe(true)
  })

  it.each([
    ['1280 pixels', 1280, 800],
    ['390 pixels', 390, 844],
  ])('shows what goes and what comes before anything is unfolded, at %s', async (_size, width, height) => {
    const { page, ui } = await stage.open({ viewport: { width, height } })
    if (width < 1000) await ui.button('Assistant').click()
    await ui.ask('Replace "220 euros" with "240 euros" in the travel policy')
    await ui.button('Approve').waitFor()
    const view = await boxOf(page.locator('.document-diff-scroll'))
    const fade = (await page.locator('.document-diff-view[data-more]').count()) * 48
    for (const mark of [page.locator('.document-diff-line del'), page.locator('.document-diff-line ins')]) {
      const box = await boxOf(mark)
      expect(box.y).toBeGreaterThanOrEqual(view.y)
      expect(box.y + box.height).toBeLessThanOrEqual(view.y + view.height - fade)
    }
    expect(await ui.added.textContent()).toContain('…')
    await ui.button('Show all').click()
    expect(await ui.added.textContent()).toContain('or 240 euros in London, Paris, Zurich and New York. If everything decent')
    expect(await ui.removed.textContent()).not.toContain('…')
    await ui.button('Show less').click()
    expect(await ui.added.textContent()).toContain('…')
  })

  it('opens for editing at the first line that it changes, under the same title', async () => {
    const { page, ui } = await stage.open({ viewport: { width: 1280, height: 640 } })
    await ui.ask('Add a section about parking to the onboarding guide')
    await ui.button('Edit').click()
    await page.locator('.document-diff-label', { hasText: /^Changes$/ }).waitFor()
    const field = page.getByLabel('New text')
    await expect.poll(() => isFocused(field)).toBe(true)
    const { start, line, top, height, scrolled } = await field.evaluate((element) => {
      const { value, selectionStart, scrollTop, clientHeight } = element as HTMLTextAreaElement
      const lineStart = value.slice(selectionStart)
      return {
        start: selectionStart,
        line: lineStart.slice(0, 40),
        top: scrollTop,
        height: clientHeight,
        scrolled: element.scrollHeight,
      }
    })
    expect(start).toBeGreaterThan(0)
    expect(line).toMatch(/^\s*## Parking/)
    expect(scrolled).toBeGreaterThan(height)
    expect(top).toBeGreaterThan(0)
    expect(await ui.button('Approve changes').count()).toBe(0)
    await page.keyboard.type('x')
    await ui.button('Approve changes').waitFor()
  })
})

describe('the keyboard', () => {
  it('stays on the button that it pressed when the answer comes to nothing', async () => {
    const { page, ui } = await stage.open()
    await ui.ask(replaceLimit)
    await ui.button('Approve').waitFor()
    await page.route('**/api/agent/commands', (route) =>
      route.fulfill({ status: 403, contentType: 'application/json', body: '{"code":"no","message":"No."}' }),
    )
    await ui.button('Approve').focus()
    await page.keyboard.press('Enter')
    await ui.says('That did not work').waitFor()
    await expect.poll(() => isFocused(ui.button('Approve'))).toBe(true)
    await page.unroute('**/api/agent/commands')
    await page.keyboard.press('Enter')
    await ui.says('Run completed').waitFor()
  })

  it('is in the new conversation’s field, and in the conversation that was opened', async () => {
    const { page, ui } = await stage.open()
    await ui.ask('What is the limit for hotels?')
    await ui.says('Run completed').waitFor()
    await ui.button('New conversation').focus()
    await page.keyboard.press('Enter')
    await ui.says('Run completed').waitFor({ state: 'detached' })
    await expect.poll(() => isFocused(ui.field)).toBe(true)
    for (const _ of ['another one', 'the one that is open']) {
      await ui.button('Conversations').focus()
      await page.keyboard.press('Enter')
      await page.locator('.conversation-list-item').first().focus()
      await page.keyboard.press('Enter')
      await ui.says('Run completed').waitFor()
      await expect.poll(() => isFocused(page.getByRole('region', { name: 'Conversation', exact: true }))).toBe(true)
    }
  })

  it('stays at the run that is followed again', async () => {
    const { page, ui } = await stage.open()
    await ui.ask(shorten)
    await ui.tool('document_search').waitFor()
    await ui.button('Stop watching').click()
    await ui.button('Continue').focus()
    await page.keyboard.press('Enter')
    await ui.button('Approve').waitFor()
    await expect.poll(() => isFocused(page.locator('.run-status'))).toBe(true)
  })
})

describe('a run that the person stopped following', () => {
  it('can still be cancelled, and shows that it was', async () => {
    const { ui, server } = await stage.open()
    const runId = await ui.ask(shorten)
    await ui.tool('document_search').waitFor()
    await ui.button('Stop watching').click()
    await ui.says(/Not watched any more/).waitFor()
    await ui.button('Cancel run').click()
    await ui.says('Run cancelled').waitFor()
    expect((await server.log(runId)).status).toBe('cancelled')
    await expect.poll(() => ui.button('Cancel run').count()).toBe(0)
    expect(await ui.field.isEnabled()).toBe(true)
    await ui.ask('What is the limit for hotels?')
    await ui.says('Run completed').waitFor()
  })

  it('can still be continued where another conversation came between', async () => {
    const { page, ui } = await stage.open()
    await ui.ask(shorten)
    await ui.tool('document_search').waitFor()
    await ui.button('Stop watching').click()
    await ui.says(/Not watched any more/).waitFor()
    await ui.button('New conversation').click()
    await ui.says(/Not watched any more/).waitFor({ state: 'detached' })
    await ui.button('Conversations').click()
    await page.locator('.conversation-list-item').first().click()
    await ui.button('Continue').click()
    await ui.button('Approve').waitFor()
    expect(await ui.tool('document_search').count()).toBe(1)
  })

  it('says why a cancellation came to nothing', async () => {
    const { page, ui, server } = await stage.open()
    const runId = await ui.ask(shorten)
    await ui.tool('document_search').waitFor()
    await ui.button('Stop watching').click()
    await page.route('**/api/agent/commands', (route) => route.abort())
    await ui.button('Cancel run').click()
    await ui.says('Not cancelled: The agent could not be reached.').first().waitFor()
    await ui.button('Approve').waitFor()
    expect((await server.log(runId)).status).toBe('running')
  })
})

describe('a phone', () => {
  it('keeps the question and its state in one line, and the chosen theme off the edge', async () => {
    const { page, ui } = await stage.open(phone)
    await ui.button('Assistant').tap()
    await ui.ask(replaceLimit)
    await ui.button('Approve').waitFor()
    const title = await boxOf(page.getByText('Approval needed', { exact: true }))
    const status = await boxOf(page.locator('.agent-approval .agent-status'))
    expect(Math.abs(title.y + title.height / 2 - (status.y + status.height / 2))).toBeLessThan(6)
    const inset = await page
      .locator('.theme-switch-choice:has(:checked)')
      .evaluate((choice) => getComputedStyle(choice, '::before').top)
    expect(inset).toBe('4px')
  })
})

describe('a run that has ended', () => {
  it('is not retried but regenerated, as often as asked, also after a reload', async () => {
    const { page, ui, server } = await stage.open()
    const first = await ui.ask('What is the limit for hotels?')
    await ui.says('Run completed').waitFor()
    const regenerate = async () => {
      const request = page.waitForRequest((sent) => sent.url().endsWith('/api/agent/stream'))
      const button = ui.button('Regenerate').last()
      await button.focus()
      await page.keyboard.press('Enter')
      const { runId, messages } = (await request).postDataJSON()
      expect(messages).toEqual([{ role: 'user', content: 'What is the limit for hotels?' }])
      return { runId, button }
    }
    const { runId: second, button } = await regenerate()
    await expect.poll(() => isFocused(ui.button('Regenerate').first()), { message: 'whether the pressed button keeps the focus' }).toBe(true)
    await ui.says('Run completed').nth(1).waitFor()
    expect(second).not.toBe(first)
    expect((await server.log(second)).status).toBe('completed')
    await expect.poll(() => button.getAttribute('aria-disabled')).toBe('false')
    await page.reload()
    await ui.says('Run completed').nth(1).waitFor()
    await regenerate()
    await ui.says('Run completed').nth(2).waitFor()
  })

  it('offers at the tool call that failed to regenerate, and no retry', async () => {
    const { page, ui } = await stage.open()
    await ui.ask('Publish the pricing FAQ')
    await ui.button('Approve').click()
    await ui.button('Retry').waitFor()
    await ui.button('Cancel run').click()
    await ui.says('Run cancelled').waitFor()
    await expect.poll(() => ui.button('Retry').count()).toBe(0)
    const request = page.waitForRequest((sent) => sent.url().endsWith('/api/agent/stream'))
    await ui.tool('publish_document').getByRole('button', { name: 'Regenerate' }).click()
    expect((await request).postDataJSON().messages).toEqual([{ role: 'user', content: 'Publish the pricing FAQ' }])
    await ui.button('Approve').waitFor()
  })
})
