// `npm test`: everything that a fresh clone needs, then all checks and tests. Arguments go to Vitest as they are.
import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { ensureInstalled } from '../demo/ensureInstalled.mjs'
import { ensureBrowser } from './support/ensureBrowser.mjs'
import { ensurePostgres } from './support/ensurePostgres.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
const args = process.argv.slice(2)
const isWholeRun = args.length === 0

try {
  ensureInstalled()
  if (isWholeRun) {
    ensureBrowser()
    ensurePostgres()
  }
  process.exitCode = await runVitest()
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  console.log('\n0 passed, 1 failed')
  process.exitCode = 1
}

/** @returns {Promise<number>} */
function runVitest() {
  const vitest = spawn(
    process.execPath,
    [
      'node_modules/vitest/vitest.mjs',
      'run',
      '--config=test/vitest.config.ts',
      // The coverage that is asked for is that of all tests.
      ...(isWholeRun ? ['--coverage'] : []),
      ...args,
    ],
    {
      cwd: root,
      env: { ...(process.stdout.isTTY ? { FORCE_COLOR: '1' } : {}), ...process.env },
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  )
  let tail = ''
  vitest.stdout.setEncoding('utf8').on('data', (/** @type {string} */ text) => {
    process.stdout.write(text)
    tail = (tail + text).slice(-200)
  })
  return new Promise((resolve, reject) => {
    vitest.once('error', reject)
    vitest.once('close', (code) => {
      const hasClosingLine = /^\d+ passed, \d+ failed/m.test(tail)
      if (hasClosingLine) resolve(code ?? 1)
      else reject(new Error('Vitest ended before it ran the tests; its output above says why.'))
    })
  })
}
