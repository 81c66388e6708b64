import * as z from 'zod/mini'
import { serverErrorCode } from './serverErrorCode.ts'

const maxBodySize = 16_384
const withCode = z.object({ code: serverErrorCode })
const bodySchema = z.union([withCode, z.object({ error: withCode })])

/** Reads the literal error code of a JSON body, `{ code }` or `{ error: { code } }`, and at most 16 KB of it. */
export async function readServerCode(
  response: Response,
  wait: <Result>(work: Promise<Result>) => Promise<Result>,
): Promise<string | undefined> {
  const reader = response.body?.getReader()
  if (!reader) return undefined
  try {
    if (!/\bjson\b/i.test(response.headers.get('content-type') ?? '')) return undefined
    const decoder = new TextDecoder()
    let text = ''
    for (let result = await wait(reader.read()); !result.done; result = await wait(reader.read())) {
      text += decoder.decode(result.value, { stream: true })
      if (text.length > maxBodySize) return undefined
    }
    const body = bodySchema.safeParse(JSON.parse(text))
    if (!body.success) return undefined
    return 'code' in body.data ? body.data.code : body.data.error.code
  } catch {
    // The status is the error; a body that cannot be read only leaves it without its code.
    return undefined
  } finally {
    reader.cancel().catch(() => undefined)
  }
}
