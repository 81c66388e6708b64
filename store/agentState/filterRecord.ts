import { getOwn } from '../../src/state/ownRecord.ts'

/** Gives what `keeps` says stays, in a record of its own; an id may be `__proto__`. */
export function filterRecord<Value>(
  record: Readonly<Record<string, Value>>,
  keeps: (key: string, value: Value) => boolean,
): Record<string, Value> {
  const entries = Object.keys(record).map((key) => [key, getOwn(record, key) as Value] as const)
  return Object.fromEntries(entries.filter(([key, value]) => keeps(key, value)))
}
