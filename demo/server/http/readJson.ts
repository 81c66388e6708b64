import type { Context } from 'hono'
import { RunServerError } from '../runServerError.ts'

/** Whoever walks through it by recursion must come back. */
const maxDepth = 100

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
  if (isTooDeep(text)) {
    throw new RunServerError({
      status: 400,
      code: 'json_too_deep',
      message: `The body is nested more than ${maxDepth} levels deep.`,
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
    throw new RunServerError({ status: 400, code: 'body_cut', message: 'The body ended before it was whole.', cause })
  }
}

function isTooDeep(text: string): boolean {
  let depth = 0
  let isString = false
  for (let index = 0; index < text.length; index += 1) {
    const character = text[index]
    if (isString && character === '\\') index += 1
    else if (character === '"') isString = !isString
    else if (!isString && (character === '[' || character === '{')) depth += 1
    else if (!isString && (character === ']' || character === '}')) depth -= 1
    if (depth > maxDepth) return true
  }
  return false
}
