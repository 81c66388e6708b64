import * as z from 'zod/mini'
import { isFilled, isRecord } from './predicates.ts'

/**
 * A delta's payload: whose it is, under `id`, and what is added. As a predicate, because most events of a stream are
 * deltas, and an object schema makes some twenty small objects for each.
 */
export function deltaPayload<Id extends string, Delta>(
  id: Id,
  isDelta: (value: unknown) => value is Delta,
): z.ZodMiniType<{ [Key in Id]: string } & { delta: Delta }> {
  return z.custom((value) => isRecord(value) && isFilled(value[id]) && isDelta(value.delta))
}
