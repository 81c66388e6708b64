import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { expectWhole } from './support/expectWhole.ts'
import { stageDemo } from './support/stageDemo.ts'
import { watchStore } from './support/watchStore.ts'

const stage = stageDemo({ tokenDelay: 4, page: 'production' })

const open = async (scripts: readonly (() => void)[] = []) => {
  const opened = await stage.open({ initScript: [...scripts, watchStore] })
  const { page } = opened
  return { ...opened, badge: page.locator('.agent-connection'), note: page.locator('.saving-note') }
}

const askAndExpectWhole = async ({ page, ui }: Pick<Awaited<ReturnType<typeof open>>, 'page' | 'ui'>) => {
  const runId = await ui.ask('What is the limit for hotels?')
  await expectWhole(page, runId)
}

const readStorage = (page: Page): Promise<Record<string, string>> => page.evaluate(() => ({ ...localStorage }))

/** Fills the storage to the last character. */
const fill = () => {
  for (let size = 2 ** 22, count = 0; size >= 1; ) {
    try {
      localStorage.setItem(`fill-${count}`, 'x'.repeat(size))
      count += 1
    } catch {
      size = Math.floor(size / 2)
    }
  }
}
const makeRoom = () => {
  for (const key of Object.keys(localStorage)) if (key.startsWith('fill-')) localStorage.removeItem(key)
}

describe('a storage that is full', () => {
  it('costs the run nothing, is told, and is written to again once there is room', async () => {
    const opened = await open()
    const { page, problems, ui, note } = opened
    await page.evaluate(fill)
    await askAndExpectWhole(opened)
    await note.filter({ hasText: 'not being saved on this device: its storage is full' }).waitFor()
    expect(Object.keys(await readStorage(page)).filter((key) => key.startsWith('redux-agent:'))).toEqual([])
    await page.evaluate(makeRoom)
    await ui.ask('List the documents')
    await page.waitForFunction(() => document.querySelector('.saving-note')?.textContent === '')
    await page.waitForFunction(() => Object.keys(localStorage).some((key) => key.startsWith('redux-agent:checkpoint:')))
    expect(problems).toEqual([])
  })
})

describe('a storage that is blocked', () => {
  const block = () => {
    Object.defineProperty(window, 'localStorage', {
      get() {
        throw new DOMException('Access is denied for this document.', 'SecurityError')
      },
    })
  }

  it('is told, and the chat works without it', async () => {
    const opened = await open([block])
    const { problems, badge, note } = opened
    await note.filter({ hasText: 'not being saved on this device: the browser blocks its storage' }).waitFor()
    await expect.poll(() => badge.textContent()).toBe('Not restored')
    await askAndExpectWhole(opened)
    await expect.poll(() => badge.textContent()).toBe('Idle')
    await expect.poll(() => note.textContent()).toContain('not being saved on this device')
    expect(problems).toEqual([])
  })
})

describe('a checkpoint that is none', () => {
  const key = 'redux-agent:checkpoint:c1'
  // Only before the first visit: what the page writes then is its own.
  const put = {
    damaged: () => {
      if (localStorage.getItem('folio.conversation') !== null) return
      localStorage.setItem('folio.conversation', 'c1')
      localStorage.setItem('redux-agent:checkpoint:c1', '{"schemaVersion":1,"sessionId":"c1","state":{"runs":"secret')
    },
    newer: () => {
      if (localStorage.getItem('folio.conversation') !== null) return
      localStorage.setItem('folio.conversation', 'c1')
      localStorage.setItem('redux-agent:checkpoint:c1', '{"schemaVersion":99,"sessionId":"c1","secret":[]}')
    },
  }

  it.each([
    ['damaged', 'is damaged and is not used'],
    ['newer', 'is of another version of this page and is not used'],
  ] as const)('being %s, is put aside and told without its content, and the chat works', async (kind, words) => {
    const opened = await open([put[kind]])
    const { page, problems, ui, badge, note } = opened
    await note.filter({ hasText: words }).waitFor()
    await expect.poll(() => badge.textContent()).toBe('Not restored')
    expect(await ui.run.count()).toBe(0)
    expect(await page.content()).not.toContain('secret')
    const { [key]: stored, [`${key}:quarantine`]: quarantined = '' } = await readStorage(page)
    expect(stored).toBeUndefined()
    expect(JSON.parse(quarantined)).toMatchObject({ texts: { [key]: expect.stringContaining('secret') } })

    await askAndExpectWhole(opened)
    await expect.poll(() => note.textContent()).toBe('')
    // What is stored from now on is good again, and what was put aside is still there.
    await page.reload()
    await ui.says('Run completed').waitFor()
    await expect.poll(() => note.textContent()).toBe('')
    expect((await readStorage(page))[`${key}:quarantine`]).toBe(quarantined)
    expect(problems).toEqual([])
  })

  it('goes at a press of "Start clean"', async () => {
    const opened = await open([put.damaged])
    const { page, problems, ui, badge, note } = opened
    await ui.button('Start clean').click()
    await badge.filter({ hasText: 'Idle' }).waitFor()
    await expect.poll(() => note.textContent()).toBe('')
    await expect.poll(() => ui.field.evaluate((field) => field === document.activeElement)).toBe(true)
    await page.reload()
    await badge.filter({ hasText: 'Idle' }).waitFor()
    await expect.poll(() => note.textContent()).toBe('')
    await askAndExpectWhole(opened)
    expect(problems).toEqual([])
  })

  it('is not written over where it cannot be put aside, until the person starts clean', async () => {
    const opened = await open([put.damaged, fill])
    const { page, problems, ui, note } = opened
    const { [key]: stored } = await readStorage(page)
    await askAndExpectWhole(opened)
    await expect.poll(() => note.textContent()).toContain('is damaged and is not used')
    expect((await readStorage(page))[key]).toBe(stored)
    await page.evaluate(makeRoom)
    await ui.button('Start clean').click()
    await page.waitForFunction((kept) => localStorage.getItem(kept) === null, key)
    await expect.poll(() => note.textContent()).toBe('')
    await ui.ask('List the documents')
    await page.waitForFunction((kept) => localStorage.getItem(kept) !== null, key)
    expect(problems).toEqual([])
  })
})
