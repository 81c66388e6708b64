import type { Server } from 'node:http'
import type { SetTimer } from '../setTimer.ts'
import type { Log } from './createLog.ts'

/** How long everything may take, in milliseconds; whoever stops a server with SIGTERM waits for at least 10 s. */
const limit = 9_000
/** How long readers have for the last of their answers, in milliseconds. */
const patienceMs = 1_500
const drainMs = 50

/**
 * Makes what stops a server once, however often it is called: nobody new is let in, streams end where they are, so that
 * their readers go on elsewhere from their cursors, leases are let go of, and the log is written out. `exit` is given 0
 * where all of it was done in time.
 */
export function createShutdown(options: {
  server: Server
  /** Ends all streams and work, and closes the store. */
  closeRuns(): Promise<void>
  closeModel(): void
  log: Pick<Log, 'info' | 'error' | 'flush'>
  setTimer: SetTimer
  exit(code: number): void
}): (reason: string) => void {
  const { server, closeRuns, closeModel, log, setTimer, exit } = options
  let isBegun = false
  let isOver = false
  const end = (code: number) => {
    if (isOver) return
    isOver = true
    log.flush()
    exit(code)
  }
  const stop = async () => {
    const closed = new Promise((resolve) => server.close(resolve))
    let isDrained = false
    const drain = () => {
      // A connection is idle once its answer has gone out; it would be kept open for a next request.
      server.closeIdleConnections()
      if (!isDrained) setTimer(drain, drainMs)
    }
    drain()
    await closeRuns()
    closeModel()
    const cancelTimer = setTimer(() => server.closeAllConnections(), patienceMs)
    await closed
    isDrained = true
    cancelTimer()
  }
  return (reason) => {
    if (isBegun) return
    isBegun = true
    log.info({ reason }, 'stopping')
    const cancelTimer = setTimer(() => {
      log.error({ limitMs: limit }, 'not stopped in time')
      end(1)
    }, limit)
    const finish = async () => {
      try {
        await stop()
        log.info('stopped')
        end(0)
      } catch (error) {
        log.error({ err: error }, 'not stopped well')
        end(1)
      } finally {
        cancelTimer()
      }
    }
    void finish()
  }
}
