import { afterEach, beforeEach, vi } from 'vitest'

/** Takes what nobody catches in a file's tests, so that they can say what is to be reported so. */
export function noticeUncaught() {
  const uncaught = vi.fn<(error: unknown) => void>()
  const unhandled = vi.fn<(error: unknown) => void>()
  let others: { uncaught: NodeJS.UncaughtExceptionListener[]; unhandled: NodeJS.UnhandledRejectionListener[] }

  beforeEach(() => {
    others = { uncaught: process.listeners('uncaughtException'), unhandled: process.listeners('unhandledRejection') }
    process.removeAllListeners('uncaughtException').on('uncaughtException', uncaught)
    process.removeAllListeners('unhandledRejection').on('unhandledRejection', unhandled)
  })
  afterEach(() => {
    process.removeAllListeners('uncaughtException').removeAllListeners('unhandledRejection')
    for (const listener of others.uncaught) process.on('uncaughtException', listener)
    for (const listener of others.unhandled) process.on('unhandledRejection', listener)
    uncaught.mockReset()
    unhandled.mockReset()
  })
  return { uncaught, unhandled }
}
