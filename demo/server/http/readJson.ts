import type { Context } from 'hono'
import { isNestedTooDeep, maxJsonDepth } from '../isNestedTooDeep.ts'
import { RunServerError } from '../runServerError.ts'
import { createBodyCutError } from './createBodyCutError.ts'

/** Reads a JSON body. Throws RunServerError 415 or 400; requiring the type keeps other sites' forms out. */
export async function readJson(context: Context): Promise<unknown> {
  const type = context.req.header('content-type')?.split(';', 1)[0]?.trim().toLowerCase()
  if (type !== 'application/json') {
    throw new RunServerError({
      status: 415,
      code: 'unsupported_media_type',
      message: 'Send JSON with the content type application/json.',
    })
  }
  const text = await readText(context)
  if (isNestedTooDeep(text)) {
    throw new RunServerError({
      status: 400,
      code: 'json_too_deep',
      message: `The body is nested more than ${maxJsonDepth} levels deep.`,
    })
  }
  try {
    return JSON.parse(text) as unknown
  } catch (cause) {
    throw new RunServerError({ status: 400, code: 'invalid_json', message: 'The body is not JSON.', cause })
  }
}

async function readText({ req }: Context): Promise<string> {
  try {
    return await req.text()
  } catch (cause) {
    throw createBodyCutError(cause)
  }
}
