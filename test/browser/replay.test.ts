import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { parseAgentTrace, replayAgentEvents, selectAgentTimeline } from 'redux-agent'
import { describe, expect, it } from 'vitest'
import { stageDemo } from './support/stageDemo.ts'

const stage = stageDemo({ tokenDelay: 5 })

const replayOf = (page: Page) => {
  const slider = page.getByRole('slider', { name: 'Event' })
  return {
    slider,
    page: page.locator('.replay-page'),
    rows: page.locator('.replay-page .agent-timeline-list > li'),
    button: (name: string) => page.locator('.replay-page').getByRole('button', { name, exact: true }),
    scrub: (to: number) => slider.fill(String(to)),
    waitForEnd: () =>
      page.waitForFunction(() => {
        const input = document.querySelector<HTMLInputElement>('.agent-replay-slider')
        return input !== null && input.value === input.max
      }),
    importFile: (name: string, text: string) =>
      page.setInputFiles('input[type="file"]', { name, mimeType: 'application/json', buffer: Buffer.from(text) }),
  }
}

describe('the replay of a stored run', () => {
  it('scrubs to what was waited for, plays to the end, and goes out to a file and in again; nothing is sent', async () => {
    const { page, problems, ui, server } = await stage.open()
    const runId = await ui.ask('Replace "160 euros" with "175 euros" in the travel policy')
    await ui.button('Approve').click()
    await ui.says('Run completed').waitFor()
    const { events } = await server.log(runId)
    const log = events.map(({ event }) => event)
    const document = await server.document('travel-policy')

    const sent: string[] = []
    page.on('request', (request) => {
      if (request.method() !== 'GET') sent.push(`${request.method()} ${request.url()}`)
    })
    await page.getByRole('link', { name: 'Replay', exact: true }).click()
    const replay = replayOf(page)
    await replay.slider.waitFor()
    expect(await replay.slider.getAttribute('max')).toBe(String(log.length))
    await expect.poll(() => replay.rows.count()).toBe(0)
    // Under the replay the workspace stays as it is, and out of reach.
    expect(await page.locator('[inert] .document-list').count()).toBe(1)

    const asked = log.findIndex(({ type }) => type === 'approval.requested') + 1
    await replay.scrub(asked)
    const rowsAt = (count: number) => selectAgentTimeline(replayAgentEvents(log.slice(0, count))).length
    await expect.poll(() => replay.rows.count()).toBe(rowsAt(asked))
    await replay.page.getByText('Approval needed', { exact: true }).waitFor()
    await replay.page.getByText('What was decided: approved.').waitFor()
    for (const name of ['Approve', 'Reject', 'Edit']) {
      // eslint-disable-next-line no-await-in-loop
      await replay.button(name).click({ force: true })
    }
    await expect.poll(() => replay.button('Approve').getAttribute('aria-pressed')).toBe('true')
    await replay.scrub(Math.floor(asked / 2))
    await expect.poll(() => replay.rows.count()).toBe(rowsAt(Math.floor(asked / 2)))
    await replay.slider.press('Shift+ArrowRight')
    await expect.poll(async () => Number(await replay.slider.inputValue())).toBeGreaterThan(Math.floor(asked / 2))

    await replay.scrub(log.length - 12)
    await page.getByRole('combobox', { name: 'Speed' }).selectOption('8')
    await replay.button('Play').click()
    await replay.waitForEnd()
    await expect.poll(() => replay.rows.count()).toBe(rowsAt(log.length))

    const [download] = await Promise.all([page.waitForEvent('download'), replay.button('Export').click()])
    const text = await readFile(await download.path(), 'utf8')
    expect(download.suggestedFilename()).toBe(`run-${runId}.trace.json`)
    const trace = parseAgentTrace(text)
    expect(trace.events).toEqual(log)
    expect(trace.checkpoints.map(({ kind }) => kind)).toContain('run_finished')

    await replay.importFile('broken.json', text.slice(0, -20))
    await replay.page.getByRole('alert').getByText('The file is not JSON.').waitFor()
    await expect.poll(() => replay.rows.count()).toBe(rowsAt(log.length))
    await replay.importFile('run.trace.json', text)
    await replay.page.getByText('Replay of an imported file').waitFor()
    await expect.poll(() => replay.page.getByRole('alert').count()).toBe(0)
    await expect.poll(() => replay.slider.inputValue()).toBe('0')
    await replay.scrub(asked)
    await replay.page.getByText('Approval needed', { exact: true }).waitFor()

    await replay.button('Close the replay').click()
    await replay.page.waitFor({ state: 'detached' })
    await expect.poll(() => new URL(page.url()).hash).toBe('#/documents/travel-policy')
    const link = page.getByRole('link', { name: 'Replay', exact: true })
    await expect.poll(() => link.evaluate((element) => element.matches(':focus'))).toBe(true)
    expect(sent).toEqual([])
    expect(await server.document('travel-policy')).toEqual(document)
    expect((await server.log(runId)).events).toEqual(events)
    expect(problems).toEqual([])
  })

  it('is an address of its own; a run of somebody else is not there, and a file can be replayed in its place', async () => {
    const { page, ui } = await stage.open()
    const runId = await ui.ask('Which documents are there?')
    await ui.says('Run completed').waitFor()
    await page.goto(`${stage.demo.url}/#/replay/${runId}`)
    await page.reload()
    const replay = replayOf(page)
    await replay.slider.waitFor()
    await expect.poll(() => new URL(page.url()).hash).toBe(`#/replay/${runId}`)
    const [download] = await Promise.all([page.waitForEvent('download'), replay.button('Export').click()])
    const text = await readFile(await download.path(), 'utf8')

    const other = await stage.open()
    const theirs = replayOf(other.page)
    await other.page.goto(`${stage.demo.url}/#/replay/${runId}`)
    await theirs.page.getByText('There is no such run, or it is not yours to see.').waitFor()
    await theirs.importFile('run.trace.json', text)
    await theirs.slider.waitFor()
    await other.page.keyboard.press('Escape')
    await theirs.page.waitFor({ state: 'detached' })
    await other.page.getByRole('heading', { name: 'Assistant' }).waitFor()
  })

  it('asks for nothing under an id that would lead elsewhere', async () => {
    const { page, problems } = await stage.open()
    const asked: string[] = []
    page.on('request', (request) => {
      if (request.url().includes('/api/agent')) asked.push(request.url())
    })
    await page.goto(`${stage.demo.url}/#/replay/..`)
    await replayOf(page).page.getByText('cannot stand in the path of a URL: nothing was sent').waitFor()
    expect(asked.filter((url) => url.includes('/events'))).toEqual([])
    expect(problems).toEqual([])
  })
})
