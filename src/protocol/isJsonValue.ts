const maxDepth = 200
const memoDepth = 8

/**
 * Says whether a value survives JSON unchanged: finite numbers, no functions, dates or class instances, no cycles,
 * at most 200 levels deep. An `undefined` property counts as absent; what throws when it is read is none. It never throws.
 */
export function isJsonValue(value: unknown): boolean {
  try {
    return isJson(value, 0, undefined)
  } catch {
    // A getter or a proxy of a hostile value may throw.
    return false
  }
}

function isJson(value: unknown, depth: number, seen: Set<object> | undefined): boolean {
  if (typeof value === 'string' || typeof value === 'boolean' || value === null) return true
  if (typeof value === 'number') return Number.isFinite(value)
  if (typeof value !== 'object' || depth > maxDepth) return false
  // Shared references would be walked once per path, which is exponential in a hostile value; shallow ones never are.
  const memo = seen ?? (depth === memoDepth ? new Set<object>() : undefined)
  if (memo?.has(value)) return true
  const passed = Array.isArray(value) ? isJsonArray(value, depth, memo) : isJsonObject(value, depth, memo)
  if (passed) memo?.add(value)
  return passed
}

function isJsonArray(value: readonly unknown[], depth: number, seen: Set<object> | undefined): boolean {
  for (let index = 0; index < value.length; index += 1) if (!isJson(value[index], depth + 1, seen)) return false
  return true
}

function isJsonObject(value: object, depth: number, seen: Set<object> | undefined): boolean {
  const prototype: unknown = Object.getPrototypeOf(value)
  // A plain object of another realm (an iframe, jsdom) has a prototype whose own prototype is null.
  if (prototype !== null && Object.getPrototypeOf(prototype) !== null) return false
  // Not Object.keys: the lists that it makes for every event are felt. A plain object inherits nothing enumerable.
  for (const key in value) {
    const entry = (value as Record<string, unknown>)[key]
    if (entry !== undefined && !isJson(entry, depth + 1, seen)) return false
  }
  return true
}
