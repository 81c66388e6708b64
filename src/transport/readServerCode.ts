import * as z from 'zod/mini'
import type { AgentTransportTimers } from './createPatience.ts'
import { readErrorBody } from './readErrorBody.ts'
import { serverErrorCode } from './serverErrorCode.ts'

const maxSize = 16_384
const withCode = z.object({ code: serverErrorCode })
const bodySchema = z.union([withCode, z.object({ error: withCode })])

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
    const body = bodySchema.safeParse(JSON.parse((await readErrorBody(response, { ...options, maxSize })) ?? ''))
    if (!body.success) return undefined
    return 'code' in body.data ? body.data.code : body.data.error.code
  } catch {
    options.signal.throwIfAborted()
    // The status is the error; a body that cannot be read only leaves it without its code.
    return undefined
  }
}
