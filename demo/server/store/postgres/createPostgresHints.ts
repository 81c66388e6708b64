import { Client, type Pool } from 'pg'
import type { SetTimer } from '../../setTimer.ts'
import type { StoreHints } from '../runServerStore.ts'

const channel = 'agent_runs'
const firstDelay = 250
const maxDelay = 5_000

export interface PostgresHints extends StoreHints {
  close(): Promise<void>
}

/**
 * LISTEN and NOTIFY. The listening connection is opened with the first listener; when it breaks, it is opened anew, and
 * then anything may have been missed. Notifications go by themselves, after the commit that they speak of: a NOTIFY
 * within it would take a lock on the whole database while it commits.
 */
export function createPostgresHints(options: {
  connectionString: string
  pool: Pool
  setTimer: SetTimer
}): PostgresHints {
  const { connectionString, pool, setTimer } = options
  const listeners = new Set<(runId: string | undefined) => void>()
  let client: Client | undefined
  let isClosed = false
  let cancelRetry: (() => void) | undefined
  let delay = firstDelay

  const tell = (runId: string | undefined) => {
    for (const listener of [...listeners]) listener(runId)
  }
  const retry = (lost: Client) => {
    if (client !== lost) return
    client = undefined
    void lost.end().catch(() => undefined)
    if (isClosed) return
    cancelRetry = setTimer(() => void open(), delay)
    delay = Math.min(delay * 2, maxDelay)
  }
  const open = async () => {
    if (isClosed || client !== undefined) return
    const made = new Client({ connectionString, keepAlive: true })
    client = made
    made.on('error', () => retry(made))
    made.on('end', () => retry(made))
    made.on('notification', ({ payload = '' }) => {
      for (const runId of readPayload(payload)) tell(runId)
    })
    try {
      await made.connect()
      await made.query(`LISTEN ${channel}`)
      delay = firstDelay
      tell(undefined)
    } catch {
      retry(made)
    }
  }

  return {
    async publish(runIds) {
      // A payload holds 8000 bytes at most; ids come from outside.
      const parts: string[][] = [[]]
      for (const runId of runIds) {
        const part = parts[parts.length - 1]!
        if (JSON.stringify([...part, runId]).length > 1_500 && part.length > 0) parts.push([runId])
        else part.push(runId)
      }
      await pool.query('SELECT pg_notify($1, part) FROM unnest($2::text[]) AS part', [
        channel,
        parts.map((part) => JSON.stringify(part)),
      ])
    },
    subscribe(listener) {
      listeners.add(listener)
      void open()
      return () => void listeners.delete(listener)
    },
    async close() {
      isClosed = true
      cancelRetry?.()
      const last = client
      client = undefined
      await last?.end().catch(() => undefined)
    },
  }
}

/** Other programs may use the same channel; what is not understood means that anything may have changed. */
function readPayload(payload: string): (string | undefined)[] {
  try {
    const runIds: unknown = JSON.parse(payload)
    if (Array.isArray(runIds)) return runIds.map(String)
  } catch {
    // Not ours.
  }
  return [undefined]
}
