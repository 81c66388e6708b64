import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { findBrowser } from '../support/findBrowser.mjs'

describe.runIf(process.platform !== 'win32')('the search for a browser', () => {
  let folder = ''

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'redux-agent-browser-'))
    vi.stubEnv('CHROME_PATH', undefined)
    vi.stubEnv('PATH', folder)
  })

  afterEach(() => rmSync(folder, { recursive: true, force: true }))

  const write = (name: string, mode: number): string => {
    const file = join(folder, name)
    writeFileSync(file, '')
    chmodSync(file, mode)
    return file
  }

  it('takes one that is on the path', () => {
    const file = write('google-chrome', 0o755)
    expect(findBrowser()).toBe(file)
  })

  it('takes CHROME_PATH before all others', () => {
    write('chromium', 0o755)
    const file = write('my-browser', 0o755)
    vi.stubEnv('CHROME_PATH', file)
    expect(findBrowser()).toBe(file)
  })

  it('passes over what is not there or cannot be run', () => {
    vi.stubEnv('CHROME_PATH', join(folder, 'gone'))
    const unusable = write('chromium', 0o644)
    expect(findBrowser()).not.toBe(unusable)
    const file = write('microsoft-edge', 0o755)
    expect(findBrowser()).toBe(file)
  })
})
