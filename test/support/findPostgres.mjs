import { existsSync, readdirSync } from 'node:fs'
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'

/**
 * The folder with PostgreSQL's programs (`initdb`, `pg_ctl`), the newest where there are several.
 *
 * @returns {string | undefined}
 */
export function findPostgres() {
  const debian = '/usr/lib/postgresql'
  const versions = existsSync(debian) ? readdirSync(debian) : []
  const sorted = versions.toSorted((one, other) => Number(other) - Number(one))
  const folders = sorted.map((version) => join(debian, version, 'bin'))
  const { status, stdout } = spawnSync('pg_config', ['--bindir'], { encoding: 'utf8' })
  if (status === 0) folders.push(stdout.trim())
  const candidates = [process.env.POSTGRES_BIN ?? '', ...folders]
  return candidates.find((folder) => folder !== '' && existsSync(join(folder, 'initdb')))
}
