import type { Page, Request } from 'playwright-core'
import { createGate } from 'redux-agent/testing'
import { describe, expect, it, onTestFinished } from 'vitest'
import { bundleInstrument } from './support/bundleInstrument.ts'
import { expectWhole } from './support/expectWhole.ts'
import { noteTexts } from './support/noteTexts.ts'
import type { WorkspaceOptions } from './support/openWorkspace.ts'
import { stageDemo } from './support/stageDemo.ts'
import { startLine } from './support/startLine.ts'
import { watchStore } from './support/watchStore.ts'

// A page with a development server's socket is kept by no back/forward cache.
const stage = stageDemo({ tokenDelay: 12, page: 'production', hasPageCache: true })

const open = async (options: Partial<WorkspaceOptions> = {}) => {
  /** What was asked of the server: `start`, or the sequence that a resume came after. */
  const requests: ('start' | number)[] = []
  const context = options.context ?? (await stage.browser.newContext({ viewport: { width: 1280, height: 800 } }))
  const note = (request: Request) => {
    if (!isStream(new URL(request.url()))) return
    const { resume } = request.postDataJSON() as { resume?: { lastAppliedSeq: number } }
    requests.push(resume?.lastAppliedSeq ?? 'start')
  }
  context.on('request', note)
  onTestFinished(() => void context.off('request', note))
  const opened = await stage.open({ initScript: watchStore, ...options, context })
  return { ...opened, requests, badge: opened.page.locator('.agent-connection') }
}

type Opened = Awaited<ReturnType<typeof open>>

const isStream = ({ pathname }: URL) => pathname === '/api/agent/stream'

/** Asks for a change, and waits until the page shows a call of the tool; what comes next is held until `goOn`. */
const askAndWaitFor = async (tool: 'document_read' | 'document_update', { ui }: Pick<Opened, 'ui'>) => {
  const rest = stage.model.holdAt({ answer: 2, of: tool === 'document_read' ? 'text' : 'arguments', after: 10 })
  const runId = await ui.ask('Replace "160 euros" with "175 euros" in the travel policy')
  await rest.reached
  await ui.tool(tool).waitFor()
  return { runId, goOn: rest.open }
}

const waitForQuestion = (runId: string, { server }: Pick<Opened, 'server'>) =>
  expect.poll(async () => (await server.log(runId)).events.at(-1)?.event.type).toBe('approval.requested')

/** Takes the decision, and expects that the run ends as the server has it. */
const expectWholeOnceApproved = async (runId: string, { page, ui }: Pick<Opened, 'page' | 'ui'>) => {
  await ui.button('Approve').click()
  await expectWhole(page, runId)
}

describe('a network that is gone for a while', () => {
  it('is said to be waited for, and what the server did meanwhile is there once it is back', async () => {
    const line = await startLine(stage.demo.url)
    onTestFinished(line.close)
    const opened = await open({ url: `${line.url}/#/documents/travel-policy` })
    const { page, ui, requests, badge } = opened
    const { runId, goOn } = await askAndWaitFor('document_read', opened)
    await page.context().setOffline(true)
    line.cut()
    await badge.filter({ hasText: 'Reconnecting, waiting for the network' }).waitFor()
    goOn()
    // The server goes on by itself.
    await waitForQuestion(runId, opened)
    expect(await ui.button('Approve').count()).toBe(0)
    expect(requests).toEqual(['start'])
    await page.context().setOffline(false)
    await expectWholeOnceApproved(runId, opened)
    expect(requests).toEqual(['start', expect.any(Number)])
  })
})

describe('a page that goes in the middle of a run', () => {
  it.each([
    ['is closed', (page: Page) => page.close()],
    ['crashes', (page: Page) => page.goto('chrome://crash').catch(() => undefined)],
  ])('and %s goes on where it is opened anew', async (_what, end) => {
    const first = await open()
    const { runId, goOn } = await askAndWaitFor('document_read', first)
    await end(first.page)
    const opened = await open({ context: first.page.context() })
    goOn()
    await expectWholeOnceApproved(runId, opened)
    // What crashed within a second of its first event has kept no cursor: then it is the same request, for the same run.
    expect(opened.requests.length).toBeGreaterThan(0)
    expect(await opened.server.runIds()).toEqual([runId])
  })
})

describe('a page that comes back from the back/forward cache', () => {
  it('takes the run up again at once, and has it whole', async () => {
    const opened = await open()
    const { page, requests } = opened
    const { runId, goOn } = await askAndWaitFor('document_read', opened)
    await page.evaluate(() => {
      window.addEventListener('pageshow', ({ persisted }) => Object.assign(window, { wasKept: persisted }))
    })
    await page.goto(`${stage.demo.url}/favicon.svg`)
    // A page that was kept loads nothing.
    await page.goBack({ waitUntil: 'commit' })
    const wasKept = () => page.evaluate(() => (window as { wasKept?: boolean }).wasKept)
    await expect.poll(wasKept, { message: 'whether it was kept' }).toBe(true)
    goOn()
    await expectWholeOnceApproved(runId, opened)
    expect(requests).toEqual(['start', expect.any(Number)])
  })
})

describe('Redux DevTools that show the past while a run goes on', () => {
  it('lose nothing, though the page is reloaded there', async () => {
    const opened = await open({ initScript: [await bundleInstrument(), watchStore] })
    const { page, ui, requests, server } = opened
    const { runId, goOn } = await askAndWaitFor('document_read', opened)
    const { length } = (await server.log(runId)).events
    await page.evaluate(() => window.watched.devTools({ type: 'JUMP_TO_STATE', index: 1 }))
    await ui.tool('document_read').waitFor({ state: 'detached' })
    goOn()
    await waitForQuestion(runId, opened)
    // What came meanwhile is in the state, though the page shows the past.
    const last = (await server.log(runId)).events.length
    await expect.poll(() => page.evaluate((id) => window.watched.sequenceOf(id), runId)).toBe(last)
    expect(requests).toEqual(['start'])
    await page.reload()
    await expectWholeOnceApproved(runId, opened)
    expect(requests[1], 'where it was taken up again').toBeGreaterThan(length)
  })
})

describe('a run server that is killed in the middle of a run', () => {
  it('is followed again once it is back, and the run goes on', async () => {
    const opened = await open()
    const { page, badge, requests } = opened
    const { runId, goOn } = await askAndWaitFor('document_update', opened)
    const texts = await noteTexts(page, '.agent-connection')
    const back = createGate()
    // The first attempt meets a dead server; those after it meet one that is back, however slow this machine is.
    await page.route(isStream, async (route) => {
      if (requests.length > 2) await back.opened
      await route.continue()
    })
    await stage.demo.killServer()
    // What `npm run demo` says of it.
    expect(await stage.demo.ended).toBe('The run server was ended by SIGKILL')
    await badge.filter({ hasText: 'Reconnecting, attempt 2 of 60' }).waitFor()
    goOn()
    await stage.demo.restartServer()
    back.open()
    await expectWholeOnceApproved(runId, opened)
    expect(await texts.read()).toContainEqual(expect.stringMatching(/^Connected, resumed at event \d+$/))
    expect(requests).toEqual(['start', ...requests.slice(1).map(() => expect.any(Number))])
  })

  it.each([
    ['then "Try again" goes on', ({ ui }: Opened) => ui.button('Try again').click()],
    ['then goes on as the network comes back', ({ page }: Opened) => page.evaluate(() => window.dispatchEvent(new Event('online')))],
  ])('is told as lost once minutes were spent on it, and %s', async (_way, goOnBy) => {
    const opened = await open()
    const { page, ui, badge } = opened
    const { runId, goOn } = await askAndWaitFor('document_read', opened)
    await page.clock.install()
    await stage.demo.killServer()
    await ui.says('The connection is lost. Trying to reach the server').waitFor()
    expect(await page.locator('.agent-icon[data-status="streaming"]').count(), 'spinners').toBe(0)
    expect(await ui.says(/goes on at the server/).count()).toBe(0)
    // Sixty requests that really fail: how long that takes is the machine's affair.
    while ((await badge.textContent()) !== 'Connection failed') await page.clock.runFor(8000)
    goOn()
    await stage.demo.restartServer()
    await goOnBy(opened)
    await page.clock.resume()
    await expectWholeOnceApproved(runId, opened)
  })

  it('is asked at once when the person does not want to wait', async () => {
    const opened = await open()
    const { page, ui } = opened
    const { runId, goOn } = await askAndWaitFor('document_read', opened)
    await page.clock.install()
    await page.clock.pauseAt(Date.now() + 60_000)
    await stage.demo.killServer()
    goOn()
    await ui.button('Try now').waitFor()
    await stage.demo.restartServer()
    await ui.button('Try now').click()
    await page.clock.resume()
    await expectWholeOnceApproved(runId, opened)
  })
})
