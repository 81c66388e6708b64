import type { Locator } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import type { WorkspaceOptions } from './support/openWorkspace.ts'
import { stageDemo } from './support/stageDemo.ts'
import { waitForRest } from './support/waitForRest.ts'
import { watchAsDevTools } from './support/watchAsDevTools.ts'

const stage = stageDemo({ tokenDelay: 8 })

const open = async (options: Partial<WorkspaceOptions> = {}) => {
  const opened = await stage.open(options)
  return { ...opened, editor: opened.page.getByLabel('Text, in Markdown') }
}

const replaceLimit = 'Replace "160 euros" with "175 euros" in the travel policy'
const isFocused = (element: Locator) => element.evaluate((node) => node === document.activeElement)

describe('a change to a document', () => {
  it('streams in, is shown as a difference, and once approved is made, listed and opened', async () => {
    const { page, problems, ui, server, editor } = await open()
    const streams = (
      [
        ['.agent-reasoning-content', { answer: 0, of: 'reasoning' }],
        ['.agent-message[data-role="assistant"] .agent-message-content', { answer: 0, of: 'text' }],
        ['.agent-tool[data-tool="document_update"] .agent-code', { answer: 2, of: 'arguments' }],
      ] as const
    ).map(([selector, spot]) => ({
      shown: page.locator(selector).first(),
      gates: [1, 6].map((after) => stage.model.holdAt({ ...spot, after })),
    }))

    const runId = await ui.ask(replaceLimit)
    for (const { shown, gates } of streams) {
      let length = 0
      for (const gate of gates) {
        await gate.reached
        await expect.poll(async () => (await shown.textContent())?.length).toBeGreaterThan(length)
        length = (await shown.textContent())!.length
        gate.open()
      }
    }
    await ui.button('Approve').waitFor()
    expect(await ui.removed.textContent()).toContain('160 euros a night')
    expect(await ui.added.textContent()).toContain('175 euros a night')
    expect(await editor.inputValue()).toContain('160 euros')
    expect((await server.document('travel-policy')).version).toBe(1)

    await ui.button('Approve').click()
    await ui.says('Run completed').waitFor()
    await expect.poll(() => ui.says('Run completed').evaluate(isInView), { message: 'whether the end is in view' }).toBe(true)
    await page.waitForFunction(() => document.querySelector('textarea')?.value.includes('175 euros a night'))
    await page.locator('.document-list-items > li:first-child', { hasText: 'Travel policy' }).waitFor()
    expect(await server.document('travel-policy')).toMatchObject({ version: 2 })
    expect((await server.log(runId)).status).toBe('completed')
    expect(problems).toEqual([])
  })

  it('shows a new title in the list', async () => {
    const { page, problems, ui } = await open()
    await ui.ask('Rename the pricing FAQ to Price list')
    await ui.button('Approve').click()
    await page.getByRole('link', { name: /^Price list/ }).waitFor()
    await ui.says('Run completed').waitFor()
    await page.getByRole('link', { name: 'Open “Price list”' }).click()
    await page.waitForFunction(() => location.hash === '#/documents/pricing-faq')
    expect(problems).toEqual([])
  })

  it('is not made once it was rejected', async () => {
    const { problems, ui, server, editor } = await open()
    const before = await server.document('travel-policy')
    const runId = await ui.ask(replaceLimit)
    await ui.button('Reject').click()
    await ui.says('Run completed').waitFor()
    await ui.answers('Nothing was changed.').waitFor()
    expect(await server.document('travel-policy')).toEqual(before)
    expect(await editor.inputValue()).toBe(before.content)
    const types = (await server.log(runId)).events.map(({ event }) => event.type)
    expect(types).toContain('tool.cancelled')
    expect(problems).toEqual([])
  })

  it('is made as the person edited it', async () => {
    const { page, problems, ui, server } = await open()
    await ui.ask(replaceLimit)
    await ui.button('Edit').click()
    const field = page.getByLabel('New text')
    await field.fill((await field.inputValue()).replace('175 euros', '190 euros'))
    await ui.button('Show diff').click()
    expect(await ui.added.textContent()).toContain('190 euros')
    await ui.button('Approve changes').click()
    await page.locator('.agent-approval[data-decision="modified"]').waitFor()
    await ui.says('Run completed').waitFor()
    await page.waitForFunction(() => document.querySelector('textarea')?.value.includes('190 euros a night'))
    const { content } = await server.document('travel-policy')
    expect(content).toContain('190 euros a night')
    expect(content).not.toContain('175 euros')
    expect(problems).toEqual([])
  })

  it('is approved as it was when what was typed is taken back', async () => {
    const { page, ui, server } = await open()
    const runId = await ui.ask(replaceLimit)
    await ui.button('Edit').click()
    const field = page.getByLabel('New text')
    const proposed = await field.inputValue()
    await field.fill('Something else')
    await ui.button('Approve changes').waitFor()
    await field.fill(proposed)
    await ui.button('Approve').click()
    await ui.says('Run completed').waitFor()
    const resolved = (await server.log(runId)).events.find(({ event }) => event.type === 'approval.resolved')
    expect(resolved?.event.payload).toMatchObject({ decision: 'approved' })
  })

  it('can be asked for, edited, discarded and approved by keyboard alone', async () => {
    const { page, problems, ui, server } = await open()
    await page.keyboard.press('Tab')
    await ui.field.focus()
    await page.keyboard.type('Add a section about parking to the onboarding guide')
    await page.keyboard.press('Enter')
    await ui.button('Edit').focus()
    await page.keyboard.press('Enter')
    await expect.poll(() => isFocused(page.getByLabel('New text'))).toBe(true)
    await ui.button('Discard changes').focus()
    await page.keyboard.press('Space')
    await ui.button('Approve').focus()
    await page.keyboard.press('Enter')
    await ui.says('Run completed').waitFor()
    expect((await server.document('onboarding-guide')).content).toContain('## Parking')
    expect(problems).toEqual([])
  })
})

describe('a run', () => {
  it('is cancelled when the server says so', async () => {
    const { problems, ui, server } = await open()
    const runId = await ui.ask('Shorten the incident runbook')
    await ui.tool('document_search').waitFor()
    await ui.button('Cancel run').click()
    await ui.says('Run cancelled').waitFor()
    const { status, events } = await server.log(runId)
    expect(status).toBe('cancelled')
    expect(events.at(-1)?.event.type).toBe('run.cancelled')
    await expect.poll(() => isFocused(ui.field)).toBe(true)
    expect(problems).toEqual([])
  })

  it('goes on at the server when the person stops following it', async () => {
    const { problems, ui, server } = await open()
    const rest = stage.model.holdAt({ answer: 2, of: 'text', after: 0 })
    const runId = await ui.ask('What is the limit for hotels?')
    await ui.reasoning.first().waitFor()
    await ui.button('Stop watching').click()
    await ui.says(/Not watched any more\. The run may go on at the server/).waitFor()
    expect(await ui.says('Run completed').count()).toBe(0)
    rest.open()
    expect(await server.followToEnd(runId)).toContain('run.completed')
    expect((await server.log(runId)).status).toBe('completed')
    expect(problems).toEqual([])
  })

  it('that still holds the conversation can be cancelled by the next message', async () => {
    const { problems, ui, server } = await open()
    const first = await ui.ask('Write a document about fire drills')
    await ui.reasoning.first().waitFor()
    await ui.button('Stop watching').click()
    await ui.ask('What is the limit for hotels?')
    await ui.says('An earlier run is still at work').waitFor()
    expect(await ui.field.inputValue()).toBe('What is the limit for hotels?')
    await ui.button('Cancel it and send').click()
    await expect.poll(() => ui.field.evaluate((field) => field === document.activeElement)).toBe(true)
    await ui.says('Run completed').waitFor()
    await ui.answers('160 euros a night').waitFor()
    expect((await server.log(first)).status).toBe('cancelled')
    // The refusal itself is all that the console tells.
    expect(problems.filter((problem) => !problem.includes('409'))).toEqual([])
  })

  it('with a failed tool call goes on after a retry', async () => {
    const { problems, ui, server } = await open()
    const runId = await ui.ask('Publish the pricing FAQ')
    await ui.button('Approve').click()
    await ui.says('A step failed for now and can be tried again').waitFor()
    await ui.button('Show it').click()
    await expect.poll(() => isFocused(ui.button('Retry'))).toBe(true)
    await ui.button('Retry').press('Enter')
    await ui.says('Run completed').waitFor()
    await ui.answers('is published (version 1)').waitFor()
    const types = (await server.log(runId)).events.map(({ event }) => event.type)
    expect(types.filter((type) => type === 'tool.failed')).toHaveLength(1)
    expect(problems).toEqual([])
  })
})

describe('the way to the assistant', () => {
  it('says in a narrow window that the assistant needs the person', async () => {
    const { page, problems, ui } = await open({ viewport: { width: 390, height: 844 } })
    await ui.button('Assistant').click()
    await ui.ask(replaceLimit)
    await ui.button('Editor').click()
    await ui.button('Assistant (needs you)').click()
    await ui.button('Approve').click()
    await page.getByRole('link', { name: 'Open “Travel policy”' }).click()
    await page.getByLabel('Text, in Markdown').waitFor()
    await ui.button('Assistant').waitFor()
    expect(problems).toEqual([])
  })
})

describe('the field for a message', () => {
  it('gets the message back by Stop where the server cannot be reached, which is tried again until then', async () => {
    const { page, ui } = await open()
    await page.route('**/api/agent/stream', (route) => route.abort())
    await ui.ask('What is the limit for hotels?')
    await ui.says('The server cannot be reached. Trying again').waitFor()
    await ui.button('Stop watching').click()
    await ui.says('it is back in the field below').waitFor()
    await expect.poll(() => ui.field.inputValue()).toBe('What is the limit for hotels?')
    await page.unroute('**/api/agent/stream')
    await ui.field.press('Enter')
    await ui.says('Run completed').waitFor()
    expect(await ui.says('The server cannot be reached').count()).toBe(0)
  })

  it('sends by itself once the server can be reached', async () => {
    const { page, ui } = await open()
    await page.route('**/api/agent/stream', (route) => route.abort())
    await ui.ask('What is the limit for hotels?')
    await ui.says('The server cannot be reached. Trying again').waitFor()
    await page.unroute('**/api/agent/stream')
    await ui.says('Run completed').waitFor()
    expect(await ui.field.inputValue()).toBe('')
  })

  it('sends on Enter, but neither with Shift nor while an input method composes', async () => {
    const { page, ui } = await open()
    await ui.field.fill('one')
    await ui.field.press('Shift+Enter')
    await page.keyboard.type('two')
    expect(await ui.field.inputValue()).toBe('one\ntwo')
    await ui.field.dispatchEvent('keydown', { key: 'Enter', isComposing: true })
    await ui.field.dispatchEvent('keydown', { key: 'Process', keyCode: 229 })
    expect(await ui.run.count()).toBe(0)
    await ui.field.press('Enter')
    await ui.says('Run completed').waitFor()
    expect(await ui.field.inputValue()).toBe('')
  })

  it('keeps what is written while a run is at work, and sends nothing then', async () => {
    const { ui } = await open()
    const rest = stage.model.holdAt({ answer: 1, of: 'text', after: 5 })
    await ui.ask('List the documents')
    await ui.button('Cancel run').waitFor()
    await ui.field.fill('And then?')
    await ui.field.press('Enter')
    rest.open()
    await ui.says('Run completed').waitFor()
    expect(await ui.field.inputValue()).toBe('And then?')
    expect(await ui.run.count()).toBe(1)
  })

  it('stands in a new conversation after "New conversation"', async () => {
    const { page, ui } = await open()
    await ui.ask('List the documents')
    await ui.says('Run completed').waitFor()
    await page.getByLabel('Assistant', { exact: true }).getByRole('button', { name: 'New conversation' }).click()
    await ui.says('What shall I do?').waitFor()
    expect(await ui.run.count()).toBe(0)
  })
})

describe('scrolling', () => {
  it('follows what streams in until the reader scrolls up, and again when they ask for it', async () => {
    const { page, ui } = await open()
    const view = page.getByRole('region', { name: 'Conversation' })
    const expectEnd = () =>
      expect.poll(() => view.evaluate((box) => box.scrollHeight - box.scrollTop - box.clientHeight)).toBeLessThan(2)
    await ui.ask('Summarize the travel policy')
    await ui.says('Run completed').waitFor()
    await expectEnd()

    const rest = stage.model.holdAt({ answer: 2, of: 'text', after: 5 })
    await ui.ask('What is the limit for hotels?')
    await rest.reached
    await ui.run.nth(1).locator('.agent-message[data-role="assistant"]').nth(1).waitFor()
    await expectEnd()
    await view.hover()
    await page.mouse.wheel(0, -200)
    await ui.button('Jump to the latest').waitFor()
    await waitForRest(view)
    const top = await view.evaluate((box) => box.scrollTop)
    rest.open()
    await ui.says('Run completed').nth(1).waitFor()
    expect(await view.evaluate((box) => box.scrollTop)).toBe(top)
    await ui.button('Jump to the latest').click()
    await expectEnd()
  })
})

describe('Redux DevTools', () => {
  it('get the names of what a batch holds', async () => {
    const { page, ui } = await open({ initScript: watchAsDevTools })
    await ui.ask('List the documents')
    await ui.says('Run completed').waitFor()
    const names = await page.evaluate(() => (window as unknown as { names: string[] }).names)
    // How many batches a run comes in is the machine's affair.
    expect(names).toContainEqual(expect.stringMatching(/^agent\/eventsReceived \(.*run\.completed/))
  })
})

const isInView = (element: Element) => {
  const { top, bottom } = element.getBoundingClientRect()
  const view = document.querySelector('.chat-scroll')!.getBoundingClientRect()
  return top >= view.top && bottom <= view.bottom
}
