import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { root } from '../../support/root.ts'
import { runCommand } from '../../support/runCommand.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** Where the demo's page is, built in both ways. */
    pageFolders: Readonly<Record<'development' | 'production', string>>
  }
}

/** Vitest's global set-up of the browser tests: builds the demo's page once for all of them. */
const buildPages = async (project: TestProject): Promise<() => Promise<void>> => {
  const folder = await mkdtemp(join(tmpdir(), 'redux-agent-pages-'))
  const removeAll = (): Promise<void> => rm(folder, { recursive: true, force: true })
  const build = async (mode: string): Promise<string> => {
    const outDir = join(folder, mode)
    const options = ['--config', 'demo/web/vite.config.ts', '--mode', mode, '--outDir', outDir, '--logLevel', 'warn']
    // React takes its build from NODE_ENV, not from the mode.
    const env = { NODE_ENV: mode }
    await runCommand('node', ['node_modules/vite/bin/vite.js', 'build', ...options], { cwd: root, env })
    return outDir
  }
  try {
    const [development, production] = await Promise.all([build('development'), build('production')])
    project.provide('pageFolders', { development, production })
    return removeAll
  } catch (error) {
    await removeAll()
    throw error
  }
}

export default buildPages
