import { existsSync, readFileSync } from 'node:fs'
import { spawnSync } from 'node:child_process'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { installDebianPackages } from './installDebianPackages.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))

/**
 * Runs `npm ci` unless node_modules already holds what package-lock.json asks for.
 * Plain JavaScript without dependencies, since it runs before there are any.
 *
 * @throws {Error} when npm cannot install
 */
export function ensureInstalled() {
  if (isInstalled()) return
  console.log('Installing the dependencies (npm ci) …')
  // A native module is compiled where no binary of it can be downloaded: that takes a compiler.
  const done = runNpmCi() || (installDebianPackages(['python3', 'make', 'g++']) && runNpmCi())
  if (!done) {
    throw new Error(
      'npm ci failed; its output above says why. It needs the npm registry and, to compile better-sqlite3 where no ' +
        'binary of it can be downloaded, Python 3, make and a C++ compiler.',
    )
  }
}

function isInstalled() {
  const wanted = readLockedPackages('package-lock.json')
  const installed = readLockedPackages(join('node_modules', '.package-lock.json'))
  return Object.entries(wanted).every(([path, { version, integrity, optional }]) => {
    if (path === '') return true
    const found = installed[path]
    // Optional packages are those of other platforms.
    return found ? found.version === version && found.integrity === integrity : optional === true
  })
}

/** @typedef {{ version?: string, integrity?: string, optional?: boolean }} LockedPackage */

/**
 * @param {string} path
 * @returns {Record<string, LockedPackage>}
 */
function readLockedPackages(path) {
  const file = join(root, path)
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')).packages : {}
}

function runNpmCi() {
  const args = ['ci', '--include=dev', '--no-audit', '--no-fund']
  const npmCli = process.env.npm_execpath
  const [command, commandArgs] = npmCli?.endsWith('.js')
    ? [process.execPath, [npmCli, ...args]]
    : ['npm', args]
  const { status } = spawnSync(command, commandArgs, {
    cwd: root,
    env: { ...getNodeHeaderSettings(), ...process.env },
    stdio: ['ignore', 'inherit', 'inherit'],
    shell: command === 'npm' && process.platform === 'win32',
  })
  return status === 0
}

/** The headers that came with this Node spare node-gyp a download. */
function getNodeHeaderSettings() {
  const prefix = dirname(dirname(process.execPath))
  return existsSync(join(prefix, 'include', 'node', 'node_api.h')) ? { npm_config_nodedir: prefix } : {}
}
