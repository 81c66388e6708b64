import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { root } from '../support/root.ts'

describe('the closing line of a test run', () => {
  let folder = ''

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'redux-agent-closing-line-'))
  })

  afterEach(() => rmSync(folder, { recursive: true, force: true }))

  const ownReporter = [`--reporter=${join(root, 'test/support/closingLineReporter.ts')}`]
  const run = (tests: Readonly<Record<string, string>>, reporters: readonly string[] = ownReporter) => {
    for (const [name, code] of Object.entries(tests)) writeFileSync(join(folder, `${name}.test.js`), code)
    const { status, stdout } = spawnSync(
      process.execPath,
      [
        join(root, 'node_modules/vitest/vitest.mjs'),
        'run',
        '--globals',
        `--root=${folder}`,
        ...reporters,
      ],
      { encoding: 'utf8', env: { ...process.env, VITEST: '', NODE_ENV: '' } },
    )
    return { failed: status !== 0, closingLine: stdout.trimEnd().split('\n').at(-1), stdout }
  }

  it('counts what passed', () => {
    expect(run({ a: "it('a', () => {}); it('b', () => {})", b: "it('c', () => {})" })).toMatchObject({
      failed: false,
      closingLine: '3 passed, 0 failed',
    })
  })

  it('counts what failed and what was skipped', () => {
    const tests = { a: "it('a', () => {}); it('b', () => { throw new Error('no') }); it.skip('c', () => {})" }
    expect(run(tests)).toMatchObject({ failed: true, closingLine: '1 passed, 1 failed, 1 skipped' })
  })

  it('names what passed only at a second try', () => {
    const { failed, closingLine, stdout } = run({
      a: "let tries = 0; describe('a thing', () => it('may fail', { retry: 1 }, () => expect(++tries).toBe(2)))",
    })
    expect({ failed, closingLine }).toEqual({ failed: false, closingLine: '1 passed, 0 failed' })
    expect(stdout).toContain('Passed only at a second try: a thing > may fail\n')
  })

  it('comes after the note that the reporter is given', () => {
    const reporter = JSON.stringify(join(root, 'test/support/closingLineReporter.ts'))
    const config = `import Reporter from ${reporter}\nexport default { test: { reporters: [new Reporter('Left out: much.')] } }`
    writeFileSync(join(folder, 'vitest.config.ts'), config)
    const { closingLine, stdout } = run({ a: "it('a', () => {})" }, [])
    expect({ closingLine, isSaid: stdout.includes('\nLeft out: much.\n') }).toEqual({ closingLine: '1 passed, 0 failed', isSaid: true })
  })

  it('counts a file that breaks before its tests as a failure', () => {
    expect(run({ a: "it('a', () => {})", b: "throw new Error('no')" })).toMatchObject({
      failed: true,
      closingLine: '1 passed, 1 failed',
    })
  })

  it('fails when no test ran', () => {
    expect(run({})).toMatchObject({ failed: true, closingLine: '0 passed, 0 failed' })
    expect(run({ a: "it.skip('a', () => {})" })).toMatchObject({ failed: true, closingLine: '0 passed, 0 failed, 1 skipped' })
  })
})
