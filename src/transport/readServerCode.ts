import { parseJson } from '../parseJson.ts'
import type { AgentTransportTimers } from './agentTransportTimers.ts'
import { readBody } from './readBody.ts'
import { readStatedCode } from './readStatedCode.ts'

const maxSize = 16_384

/**
 * Reads the literal error code of a JSON body, `{ code }` or `{ error: { code } }`, where it comes in time and within
 * 16 KB.
 */
export async function readServerCode(
  response: Response,
  options: { signal: AbortSignal; timers?: AgentTransportTimers | undefined },
): Promise<string | undefined> {
  if (!/\bjson\b/i.test(response.headers.get('content-type') ?? '')) {
    response.body?.cancel().catch(() => undefined)
    return undefined
  }
  try {
    return readStatedCode(parseJson((await readBody(response, { ...options, maxSize })) ?? ''))
  } catch {
    options.signal.throwIfAborted()
    // The status is the error; a body that cannot be read only leaves it without its code.
    return undefined
  }
}
