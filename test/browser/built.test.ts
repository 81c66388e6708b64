import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import type { AxeResults } from 'axe-core'
import type { Page } from 'playwright-core'
import { describe, expect, it, onTestFinished } from 'vitest'
import { assistant } from './support/assistant.ts'
import { measureTasks } from './support/measureTasks.ts'
import { openWorkspace, type WorkspaceOptions } from './support/openWorkspace.ts'
import { stageDemo } from './support/stageDemo.ts'
import { serveTenThousandEvents } from './support/tenThousandEvents.ts'

const stage = stageDemo({ tokenDelay: 4, page: 'production' })
const axePath = createRequire(import.meta.url).resolve('axe-core/axe.min.js')

const open = async (options: Partial<WorkspaceOptions> = {}) => {
  const workspace = await openWorkspace({ browser: stage.browser, url: stage.demo.url, ...options })
  onTestFinished(workspace.close)
  return { ...workspace, ui: assistant(workspace.page) }
}

describe('the built page under a strict policy', () => {
  it('is served with a policy that allows neither inline code nor eval', async () => {
    const policy = (await fetch(stage.demo.url)).headers.get('content-security-policy')
    expect(policy).toContain("script-src 'self'")
    expect(policy).toContain("style-src 'self'")
    expect(policy).not.toContain('unsafe')
  })

  it('would report a violation', async () => {
    const { page, problems } = await open()
    const violated = page.evaluate(
      () => new Promise((resolve) => document.addEventListener('securitypolicyviolation', resolve, { once: true })),
    )
    await page.evaluate(() => {
      const script = document.createElement('script')
      script.textContent = 'window.wasRun = true'
      document.head.append(script)
    })
    await violated
    await expect.poll(() => problems.join('\n')).toContain('Policy violated: script-src')
  })

  it('works and reports none', async () => {
    const { page, problems, ui } = await open()
    await ui.ask('Replace "160 euros" with "175 euros" in the travel policy')
    await ui.button('Edit').click()
    await page.getByLabel('New text').fill('Something else')
    await ui.button('Approve changes').click()
    await ui.says('Run completed').waitFor()
    expect(problems).toEqual([])
  })
})

describe('10,000 events in one chunk', () => {
  it('are read in many tasks, none of which has a great part of the work', async () => {
    const { page, problems, ui } = await open({ initScript: serveTenThousandEvents })
    // The server never had this run: what the page reads of the conversation is empty.
    await page.route(/\/api\/agent\/conversations\/[^/?]+/, (route) => {
      const id = decodeURIComponent(new URL(route.request().url()).pathname.split('/').at(-1)!)
      const json = { id, title: '', createdAt: 1, updatedAt: 1, messages: [], runs: [], nextCursor: null }
      return route.fulfill({ json })
    })
    await ui.send('Anything')
    await ui.says('Sending…').waitFor()
    const tasks = await measureTasks({ browser: stage.browser, page }, async () => {
      await page.evaluate(() => window.dispatchEvent(new Event('serve-events')))
      await ui.says('Run completed').waitFor()
      // What is still to be painted belongs to it.
      await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))))
    })
    expect(await ui.answers('word9995').count()).toBe(1)
    expect(problems).toEqual([])
    // How long a task takes is the machine's affair; its part of the whole is not. Unsliced, one has most of it.
    const work = tasks.reduce((sum, task) => sum + task, 0)
    expect(tasks[0]! / work, 'the part of the work that the longest task has').toBeLessThan(0.25)
  })
})

const sizes = { '1280 pixels': { width: 1280, height: 800 }, '390 pixels': { width: 390, height: 844 } }

describe.each(['light', 'dark'] as const)('axe-core, in %s', (colorScheme) => {
  it.each(Object.entries(sizes))('finds nothing to complain of at %s', async (_size, viewport) => {
    const { page, ui } = await open({ colorScheme, viewport, reducedMotion: 'reduce' })
    if (viewport.width < 1100) await ui.button('Assistant').click()
    expect(await findViolations(page), 'before the first message').toEqual([])
    const rest = stage.model.holdAt({ answer: 0, of: 'reasoning', after: 10 })
    await ui.ask('Replace "160 euros" with "175 euros" in the travel policy')
    await ui.reasoning.first().waitFor()
    expect(await findViolations(page), 'while it streams').toEqual([])
    rest.open()
    await ui.button('Approve').waitFor()
    expect(await findViolations(page), 'with a difference to approve').toEqual([])
    await ui.button('Edit').click()
    expect(await findViolations(page), 'while the person edits').toEqual([])
    await ui.button('Approve').click()
    await ui.says('Run completed').waitFor()
    expect(await findViolations(page), 'once it is done').toEqual([])
    await ui.ask('Publish the pricing FAQ')
    await ui.button('Approve').click()
    await ui.button('Retry').waitFor()
    expect(await findViolations(page), 'with a failed tool call').toEqual([])
    await ui.button('Cancel run').click()
    await ui.says('Run cancelled').waitFor()
    await page.route('**/api/agent/stream', (route) => route.abort())
    await ui.ask('List the documents')
    await ui.says('The server cannot be reached').waitFor()
    expect(await findViolations(page), 'with an error').toEqual([])
  })
})

const findViolations = async (page: Page) => {
  await page.evaluate(await readFile(axePath, 'utf8'))
  const { violations } = await page.evaluate<AxeResults>('axe.run()')
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 200)).join(' | ')}`)
}
