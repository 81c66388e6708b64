import { existsSync } from 'node:fs'
import { spawnSync } from 'node:child_process'

/**
 * Installs packages by apt-get where that can be done without asking anybody: as root on Debian or a relative of it.
 *
 * @param {readonly string[]} packages
 * @returns {boolean} whether they are installed now
 */
export function installDebianPackages(packages) {
  if (process.getuid?.() !== 0 || !existsSync('/etc/debian_version')) return false
  console.log(`Installing ${packages.join(', ')} (apt-get) …`)
  return runAptGet(['update']) && runAptGet(['install', '-y', ...packages])
}

/** @param {readonly string[]} args */
function runAptGet(args) {
  const { status } = spawnSync('apt-get', ['-q', ...args], {
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    stdio: ['ignore', 'inherit', 'inherit'],
  })
  return status === 0
}
