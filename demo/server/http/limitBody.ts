import type { Context, MiddlewareHandler } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import { RunServerError } from '../runServerError.ts'
import { createBodyCutError } from './createBodyCutError.ts'

const maxSize = 1024 * 1024
const maxDiscarded = 16 * maxSize

const limit = bodyLimit({
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

/** Refuses bodies of more than 1 MB; one whose length is not stated is read here, and may be cut. */
export const limitBody: MiddlewareHandler = async (context, next) => {
  let isRead = false
  try {
    return await limit(context, () => {
      isRead = true
      return next()
    })
  } catch (error) {
    if (isRead || error instanceof RunServerError) throw error
    throw createBodyCutError(error)
  }
}

/** Most clients read no answer before they have sent all; what is beyond reason is cut off all the same. */
async function discardBody({ req }: Context): Promise<void> {
  const { body } = req.raw
  if (body === null || body.locked || Number(req.header('content-length') ?? Infinity) > maxDiscarded) return
  await body.pipeTo(new WritableStream()).catch(() => undefined)
}
