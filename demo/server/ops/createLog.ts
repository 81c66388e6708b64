import pino, { type DestinationStream, type Logger } from 'pino'
import { redacted, type Scrubber } from './createScrubber.ts'

export type Log = Logger

const paths = ['authorization', 'cookie', 'headers.authorization', 'headers.cookie', 'headers["set-cookie"]']

/**
 * Makes the log: one JSON object a line. Fields that hold secrets are cut out by their names, and whatever else looks
 * like a secret is taken out of the finished line, so that none gets through, wherever a library hides it.
 */
export function createLog(options: {
  scrubber: Pick<Scrubber, 'text'>
  /** `info` by default. */
  level?: string
  /** Standard output by default, written at once. */
  destination?: DestinationStream
}): Log {
  const { scrubber, level = 'info', destination = pino.destination({ sync: true }) } = options
  return pino(
    {
      level,
      base: undefined,
      timestamp: pino.stdTimeFunctions.isoTime,
      redact: { paths, censor: redacted },
      serializers: { err: describeError },
      formatters: { level: (label) => ({ level: label }) },
      hooks: { streamWrite: scrubber.text },
    },
    destination,
  )
}

/** What an error says, and those beneath it. Its other fields are left out: there lie requests, with their headers. */
function describeError(error: unknown, depth = 0): unknown {
  if (!(error instanceof Error)) return { type: typeof error }
  const { name: type, message, stack, cause } = error
  const { code } = error as { code?: unknown }
  return {
    type,
    message,
    ...((typeof code === 'string' || typeof code === 'number') && { code }),
    stack,
    ...(cause !== undefined && depth < 5 && { cause: describeError(cause, depth + 1) }),
  }
}
