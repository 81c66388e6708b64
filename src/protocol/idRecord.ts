import * as z from 'zod/mini'
import { isRecord } from './predicates.ts'

/** A record by ids from outside: zod's own records pass over `__proto__`, which is an id as any other. */
export function idRecord<Value>(schema: z.ZodMiniType<Value>): z.ZodMiniType<Readonly<Record<string, Value>>> {
  return z.custom<Readonly<Record<string, Value>>>(
    (value) => isRecord(value) && Object.keys(value).every((key) => schema.safeParse(value[key]).success),
  )
}
