import * as z from 'zod/mini'
import { serverErrorCode } from './serverErrorCode.ts'

const withCode = z.object({ code: serverErrorCode })
const bodySchema = z.union([withCode, z.object({ error: withCode })])

/** Finds the literal error code that a body states, `{ code }` or `{ error: { code } }`. */
export function readStatedCode(body: unknown): string | undefined {
  const stated = bodySchema.safeParse(body)
  if (!stated.success) return undefined
  return 'code' in stated.data ? stated.data.code : stated.data.error.code
}
