import { isRecord } from './predicates.ts'

/** Gives JSON text that does not depend on the order of keys. */
export function toCanonicalText(value: unknown): string {
  return JSON.stringify(value, (_key, field: unknown) =>
    isRecord(field)
      ? Object.fromEntries(Object.entries(field).sort(([one], [other]) => (one < other ? -1 : 1)))
      : field,
  )
}
