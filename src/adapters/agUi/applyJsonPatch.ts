import { isRecord } from '../../protocol/predicates.ts'
import { getOwn, setOwn } from '../../state/ownRecord.ts'

/**
 * Applies a JSON Patch (RFC 6902) and gives the new value; the old one is left as it is, and what the patch does not
 * touch is shared. Members are own members: `__proto__` is a name as any other. Gives nothing where the patch is
 * malformed or does not fit, which is for the caller to tell.
 */
export function applyJsonPatch(value: unknown, patch: readonly unknown[]): { value: unknown } | undefined {
  let result = value
  const own: Own = new Set()
  try {
    for (const operation of patch) result = applyOperation(result, operation, own)
    return { value: result }
  } catch (error) {
    if (error instanceof PatchMisfit) return undefined
    throw error
  }
}

/** Leaves the patch where it does not fit. */
class PatchMisfit extends Error {}

/**
 * Lists and records that this patch has made: each is copied once, however many operations change it. One is held in one
 * place only, and by another such one.
 */
type Own = Set<unknown>

function applyOperation(root: unknown, operation: unknown, own: Own): unknown {
  if (!isRecord(operation)) throw new PatchMisfit()
  const path = parsePointer(operation.path)
  switch (operation.op) {
    case 'add':
      return write(root, path, { mode: 'add', value: required(operation.value), own })
    case 'replace':
      read(root, path)
      return write(root, path, { mode: 'replace', value: required(operation.value), own })
    case 'remove':
      return remove(root, path, own)
    case 'copy':
      return write(root, path, { mode: 'add', value: share(read(root, parsePointer(operation.from)), own), own })
    case 'move': {
      const from = parsePointer(operation.from)
      // A value cannot move into itself.
      if (from.length < path.length && from.every((token, index) => token === path[index])) throw new PatchMisfit()
      const moved = read(root, from)
      return from.length === 0 ? root : write(remove(root, from, own), path, { mode: 'add', value: moved, own })
    }
    case 'test':
      if (!isEqual(read(root, path), required(operation.value))) throw new PatchMisfit()
      return root
    default:
      throw new PatchMisfit()
  }
}

function required(value: unknown): unknown {
  if (value === undefined) throw new PatchMisfit()
  return value
}

function parsePointer(pointer: unknown): readonly string[] {
  if (pointer === '') return []
  if (typeof pointer !== 'string' || !pointer.startsWith('/')) throw new PatchMisfit()
  return pointer
    .slice(1)
    .split('/')
    .map((token) => token.replaceAll('~1', '/').replaceAll('~0', '~'))
}

function read(value: unknown, path: readonly string[]): unknown {
  let current = value
  for (const token of path) {
    if (Array.isArray(current)) current = current[indexOf(token, current.length - 1)]
    else if (isRecord(current) && Object.hasOwn(current, token)) current = getOwn(current, token)
    else throw new PatchMisfit()
  }
  return current
}

function write(
  root: unknown,
  path: readonly string[],
  { mode, value, own }: { mode: 'add' | 'replace'; value: unknown; own: Own },
): unknown {
  if (path.length === 0) return value
  return changeParent(root, path, own, (parent, token) => {
    if (!Array.isArray(parent)) setOwn(parent, token, value)
    else if (mode === 'replace') parent[indexOf(token, parent.length - 1)] = value
    else parent.splice(token === '-' ? parent.length : indexOf(token, parent.length), 0, value)
  })
}

function remove(root: unknown, path: readonly string[], own: Own): unknown {
  if (path.length === 0) throw new PatchMisfit()
  return changeParent(root, path, own, (parent, token) => {
    if (Array.isArray(parent)) parent.splice(indexOf(token, parent.length - 1), 1)
    else if (!Object.hasOwn(parent, token)) throw new PatchMisfit()
    else delete parent[token]
  })
}

/** Copies what stands on the way to a path's parent, and lets the copy of the parent be changed. */
function changeParent(
  root: unknown,
  path: readonly string[],
  own: Own,
  change: (parent: unknown[] | Record<string, unknown>, token: string) => void,
): unknown {
  const top = toOwn(root, own)
  let parent = top
  for (const token of path.slice(0, -1)) {
    const child = toOwn(read(parent, [token]), own)
    if (Array.isArray(parent)) parent[indexOf(token, parent.length - 1)] = child
    else setOwn(parent, token, child)
    parent = child
  }
  change(parent, path.at(-1)!)
  return top
}

function toOwn(value: unknown, own: Own): unknown[] | Record<string, unknown> {
  if (own.has(value)) return value as unknown[] | Record<string, unknown>
  const made = copy(value)
  own.add(made)
  return made
}

function copy(value: unknown): unknown[] | Record<string, unknown> {
  if (Array.isArray(value)) return [...(value as unknown[])]
  // A spread keeps an own `__proto__` as a member.
  if (isRecord(value)) return { ...value }
  throw new PatchMisfit()
}

/** Lets a value stand in two places, so that what changes in one of them is copied again. */
function share(value: unknown, own: Own): unknown {
  // A patch can nest more levels than calls can.
  const pending = [value]
  while (pending.length > 0) {
    const next = pending.pop()
    // What is not own holds nothing that is.
    if (own.delete(next)) for (const child of Object.values(next as object)) if (own.has(child)) pending.push(child)
  }
  return value
}

function indexOf(token: string, last: number): number {
  const index = /^(0|[1-9]\d*)$/.test(token) ? Number(token) : -1
  if (index < 0 || index > last) throw new PatchMisfit()
  return index
}

function isEqual(one: unknown, other: unknown): boolean {
  if (one === other) return true
  if (Array.isArray(one)) {
    if (!Array.isArray(other) || one.length !== other.length) return false
    return one.every((item, index) => isEqual(item, other[index]))
  }
  if (!isRecord(one) || !isRecord(other)) return false
  const keys = Object.keys(one)
  return (
    keys.length === Object.keys(other).length &&
    keys.every((key) => Object.hasOwn(other, key) && isEqual(getOwn(one, key), getOwn(other, key)))
  )
}
