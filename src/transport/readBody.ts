import { createPatience } from './createPatience.ts'
import type { AgentTransportTimers } from './agentTransportTimers.ts'

/** How long a body is waited for in all, in milliseconds: of an error, the status alone says most. */
const defaultMaxTime = 5000

/**
 * Reads a response's body, as far as it is worth it: at most `maxSize` bytes, for 5 s in all or as long as is said, so
 * that a body without an end does not hide the status. Gives `undefined` where it takes longer; what is left is cancelled.
 *
 * @throws what reading throws; the signal's reason after an abort.
 */
export async function readBody(
  response: Response,
  options: {
    maxSize: number
    maxTime?: number | undefined
    signal: AbortSignal
    timers?: AgentTransportTimers | undefined
  },
): Promise<string | undefined> {
  const { maxSize, maxTime = defaultMaxTime, signal, timers } = options
  const reader = response.body?.getReader()
  if (!reader) return ''
  const over = Symbol('over')
  const wait = createPatience({ signal, idleTimeout: maxTime, timers, onTimeout: () => over })
  try {
    return await wait(readText(reader, maxSize))
  } catch (error) {
    if (error === over) return undefined
    throw error
  } finally {
    // Also ends the reading that is given up.
    reader.cancel().catch(() => undefined)
  }
}

async function readText(
  reader: ReadableStreamDefaultReader<Uint8Array>,
  maxSize: number,
): Promise<string | undefined> {
  const decoder = new TextDecoder()
  let text = ''
  let size = 0
  for (let result = await reader.read(); !result.done; result = await reader.read()) {
    size += result.value.length
    if (size > maxSize) return undefined
    text += decoder.decode(result.value, { stream: true })
  }
  return text + decoder.decode()
}
