import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { installDebianPackages } from '../../demo/installDebianPackages.mjs'
import { findPostgres } from './findPostgres.mjs'

/**
 * The folder with PostgreSQL's programs; installs them first where that can be done (root on Debian).
 *
 * @returns {string}
 * @throws {Error} when there is none and none can be installed
 */
export function ensurePostgres() {
  const found = findPostgres()
  if (found) return found
  forbidSystemCluster()
  const installed = installDebianPackages(['postgresql']) ? findPostgres() : undefined
  if (installed) return installed
  throw new Error(
    'No PostgreSQL was found, and none could be installed: the tests of the run server start one of their own. ' +
      'Install it, or name the folder of initdb and pg_ctl in POSTGRES_BIN.',
  )
}

/** The tests start their own; the package need not make and start one for the whole machine. */
function forbidSystemCluster() {
  const folder = '/etc/postgresql-common'
  if (process.getuid?.() !== 0 || existsSync(`${folder}/createcluster.conf`)) return
  mkdirSync(folder, { recursive: true })
  writeFileSync(`${folder}/createcluster.conf`, 'create_main_cluster = false\n')
}
