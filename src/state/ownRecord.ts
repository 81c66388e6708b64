/** Reads a record by an id from outside: `constructor` and the like are ids as any other. */
export function getOwn<Value>(record: Readonly<Record<string, Value>>, key: string): Value | undefined {
  return Object.hasOwn(record, key) ? record[key] : undefined
}

/** Writes a record under an id from outside; assigning to `__proto__` would change the prototype instead. */
export function setOwn<Value>(record: Record<string, Value>, key: string, value: Value): void {
  if (key === '__proto__') {
    Object.defineProperty(record, key, { value, enumerable: true, configurable: true, writable: true })
  } else record[key] = value
}
