import { spawnSync } from 'node:child_process'
import { chmodSync, chownSync, mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from 'pg'
import { ensurePostgres } from '../../support/ensurePostgres.mjs'

export interface TestPostgres {
  /** Makes an empty database and gives the string that connects to it. */
  createDatabase(): Promise<string>
  /** Ends all connections of listeners, as a network that drops them does. */
  dropConnections(database: string, condition?: string): Promise<number>
  /** Lets nobody into the database, and ends who is there; or lets them in again. */
  allowConnections(database: string, allowed: boolean): Promise<void>
  stop(): void
}

/** Starts a PostgreSQL of the test's own, on a free port and in folders of its own, and empties them when it stops. */
export async function startPostgres(): Promise<TestPostgres> {
  const bin = ensurePostgres()
  const folder = mkdtempSync(join(tmpdir(), 'run-server-postgres-'))
  const isRoot = process.getuid?.() === 0
  if (isRoot) chownSync(folder, ...readIds('postgres'))
  chmodSync(folder, 0o700)
  const data = join(folder, 'data')
  const port = await findFreePort()
  const run = (program: string, args: readonly string[]) => {
    const command = [join(bin, program), ...args]
    // PostgreSQL refuses to run as root.
    const asPostgres = ['setpriv', '--reuid=postgres', '--regid=postgres', '--clear-groups']
    const [file, ...rest] = [...(isRoot ? asPostgres : []), ...command]
    const env = { ...process.env, LC_ALL: 'C' }
    const { status, stdout, stderr, error } = spawnSync(file!, rest, { cwd: folder, encoding: 'utf8', env })
    if (status !== 0) throw new Error(`${program} failed: ${error?.message ?? ''}${stdout}${stderr}`)
  }
  run('initdb', ['-D', data, '-U', 'postgres', '--auth=trust', '--encoding=UTF8', '--no-sync'])
  // The tests kill processes of the server, never the database's: it need not wait for the disk.
  const settings = `-p ${port} -k ${folder} -c listen_addresses='' -c fsync=off -c max_connections=60`
  run('pg_ctl', ['-D', data, '-l', join(folder, 'log'), '-w', '-o', settings, 'start'])
  const connect = (database: string) => `postgresql://postgres@/${database}?host=${folder}&port=${port}`
  const administer = async <Result>(work: (client: Client) => Promise<Result>): Promise<Result> => {
    const client = new Client({ connectionString: connect('postgres') })
    await client.connect()
    try {
      return await work(client)
    } finally {
      await client.end()
    }
  }
  let count = 0
  const nameOf = (database: string) => /\/(test_\d+)\?/.exec(database)?.[1]
  const drop = async (database: string, condition: string) => {
    const sql = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1 AND ${condition}`
    return (await administer((client) => client.query(sql, [nameOf(database)]))).rowCount ?? 0
  }
  return {
    async createDatabase() {
      const name = `test_${(count += 1)}`
      await administer((client) => client.query(`CREATE DATABASE ${name}`))
      return connect(name)
    },
    dropConnections: (database, condition = 'true') => drop(database, condition),
    async allowConnections(database, allowed) {
      await administer((client) => client.query(`ALTER DATABASE ${nameOf(database)} ALLOW_CONNECTIONS ${allowed}`))
      if (!allowed) await drop(database, 'true')
    },
    stop() {
      run('pg_ctl', ['-D', data, '-m', 'immediate', '-w', 'stop'])
      rmSync(folder, { recursive: true })
    },
  }
}

function readIds(user: string): [number, number] {
  const read = (flag: string) => Number(spawnSync('id', [flag, user], { encoding: 'utf8' }).stdout)
  return [read('-u'), read('-g')]
}

function findFreePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number }
      server.close(() => resolve(port))
    })
  })
}
