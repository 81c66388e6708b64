import type { Context, MiddlewareHandler } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import { RunServerError } from '../runServerError.ts'

const maxSize = 1024 * 1024
const maxDiscarded = 16 * maxSize

/** Refuses bodies of more than 1 MB. */
export const limitBody: MiddlewareHandler = bodyLimit({
  maxSize,
  async onError(context) {
    await discardBody(context)
    throw new RunServerError({
      status: 413,
      code: 'body_too_large',
      message: 'The body is larger than 1 MB.',
      // Of a body in pieces the rest may be left unread, and then nothing can follow it on this connection.
      headers: { connection: 'close' },
    })
  },
})

/** Most clients read no answer before they have sent all; what is beyond reason is cut off all the same. */
async function discardBody({ req }: Context): Promise<void> {
  const { body } = req.raw
  if (body === null || body.locked || Number(req.header('content-length') ?? Infinity) > maxDiscarded) return
  await body.pipeTo(new WritableStream()).catch(() => undefined)
}
