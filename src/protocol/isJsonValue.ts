const maxDepth = 200
/** As many characters as a text of JSON may have; each value counts for this many besides its own. */
const maxSize = 2 ** 29
const valueSize = 64

/**
 * Says whether a value survives JSON unchanged: finite numbers, no functions, dates or class instances, no cycles,
 * at most 200 levels deep, and no more than one text can hold (8 million values, half a billion characters), what is
 * shared counting wherever it stands. An `undefined` property counts as absent; what throws when it is read is none. It
 * never throws.
 */
export function isJsonValue(
  value: unknown,
  /** Levels that it may have besides, where what may have 200 stands further down in it. */
  options?: { margin: number },
): boolean {
  try {
    return spend(value, -(options?.margin ?? 0), maxSize) >= 0
  } catch {
    // A getter or a proxy of a hostile value may throw.
    return false
  }
}

/**
 * Gives what room is left after a value; less than 0 where it is no JSON. A few objects that share each other stand for
 * more text than there is room for: to remember them all would tell that sooner, and slow the rest.
 */
function spend(value: unknown, depth: number, left: number): number {
  if (typeof value === 'string') return left - valueSize - value.length
  if (typeof value === 'boolean' || value === null) return left - valueSize
  if (typeof value === 'number') return Number.isFinite(value) ? left - valueSize : -1
  if (typeof value !== 'object' || depth > maxDepth || left <= 0) return -1
  return Array.isArray(value) ? spendArray(value, depth, left - valueSize) : spendObject(value, depth, left - valueSize)
}

function spendArray(value: readonly unknown[], depth: number, left: number): number {
  let rest = left
  for (let index = 0; index < value.length && rest >= 0; index += 1) rest = spend(value[index], depth + 1, rest)
  return rest
}

function spendObject(value: object, depth: number, left: number): number {
  const prototype: unknown = Object.getPrototypeOf(value)
  // A plain object of another realm (an iframe, jsdom) has a prototype whose own prototype is null.
  if (prototype !== null && Object.getPrototypeOf(prototype) !== null) return -1
  let rest = left
  // Not Object.keys: the lists that it makes for every event are felt. A plain object inherits nothing enumerable.
  for (const key in value) {
    rest -= key.length + 1
    const entry = (value as Record<string, unknown>)[key]
    if (entry === undefined) {
      if (rest < 0) return -1
      continue
    }
    rest = spend(entry, depth + 1, rest)
    if (rest < 0) return -1
  }
  return rest
}
