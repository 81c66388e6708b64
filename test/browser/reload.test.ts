import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import type { Demo } from '../../demo/startDemo.ts'
import { launchBrowser } from '../support/browser.ts'
import { startDemo } from '../support/demo.ts'
import { assistant } from './support/assistant.ts'
import { expectWhole } from './support/expectWhole.ts'
import { openWorkspace } from './support/openWorkspace.ts'
import { serverOf } from './support/serverOf.ts'
import { watchStore } from './support/watchStore.ts'

let demo: Demo
let browser: Browser

beforeAll(async () => {
  demo = await startDemo({ serverEnv: { TOKEN_DELAY_MS: '40' } })
  browser = await launchBrowser()
})

afterAll(async () => {
  await browser?.close()
  await demo?.stop()
})

const open = async () => {
  const workspace = await openWorkspace({
    browser,
    url: `${demo.url}/#/documents/travel-policy`,
    initScript: watchStore,
  })
  onTestFinished(workspace.close)
  const { page, problems } = workspace
  const bodies: { resume?: { runId: string; lastAppliedSeq: number } }[] = []
  page.on('request', (request) => {
    if (request.url().endsWith('/api/agent/stream')) bodies.push(request.postDataJSON())
  })
  return { page, problems, bodies, ui: assistant(page), server: serverOf(page) }
}

describe('a page that is reloaded', () => {
  it('goes on in the middle of an answer, by the resume alone, and the answer is there whole, once', async () => {
    const { page, problems, bodies, ui } = await open()
    const runId = await ui.ask('Summarize the travel policy')
    await page.waitForFunction(() => {
      const texts = document.querySelectorAll('.agent-message[data-role="assistant"] .agent-message-content')
      return (texts[texts.length - 1]?.textContent ?? '').length > 20
    })
    await page.reload()
    await expectWhole(page, runId)

    expect(bodies).toHaveLength(2)
    expect(bodies[1]!.resume).toMatchObject({ runId })
    expect(bodies[1]!.resume!.lastAppliedSeq).toBeGreaterThan(0)
    expect(await ui.run.count()).toBe(1)
    expect(problems).toEqual([])
  })

  it('shows a decision that is waited for, which can be taken then', async () => {
    const { page, problems, ui, server } = await open()
    const runId = await ui.ask('Replace "160 euros" with "175 euros" in the travel policy')
    await ui.button('Approve').waitFor()
    await page.reload()
    await ui.button('Approve').click()
    await ui.says('Run completed').waitFor()
    expect((await server.log(runId)).status).toBe('completed')
    expect(await server.document('travel-policy')).toMatchObject({ version: 2 })
    expect(problems).toEqual([])
  })

  it('leaves a run alone that was stopped, until it is continued', async () => {
    const { page, bodies, ui } = await open()
    await ui.ask('Summarize the travel policy')
    await ui.reasoning.first().waitFor()
    await ui.button('Stop').click()
    await page.reload()
    await ui.button('Continue').waitFor()
    expect(bodies).toHaveLength(1)
    await ui.button('Continue').click()
    await ui.says('Run completed').waitFor()
    expect(bodies).toHaveLength(2)
  })
})
