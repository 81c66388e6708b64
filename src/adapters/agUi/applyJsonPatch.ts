import { isRecord } from '../../protocol/predicates.ts'
import { getOwn, setOwn } from '../../state/ownRecord.ts'

/**
 * Applies a JSON Patch (RFC 6902) and gives the new value; the old one is left as it is, and what the patch does not
 * touch is shared. Members are own members: `__proto__` is a name as any other. Gives nothing where the patch is
 * malformed or does not fit, which is for the caller to tell.
 */
export function applyJsonPatch(value: unknown, patch: readonly unknown[]): { value: unknown } | undefined {
  let result = value
  try {
    for (const operation of patch) result = applyOperation(result, operation)
    return { value: result }
  } catch (error) {
    if (error instanceof PatchMisfit) return undefined
    throw error
  }
}

/** Leaves the patch where it does not fit. */
class PatchMisfit extends Error {}

function applyOperation(root: unknown, operation: unknown): unknown {
  if (!isRecord(operation)) throw new PatchMisfit()
  const path = parsePointer(operation.path)
  switch (operation.op) {
    case 'add':
      return write(root, path, 'add', required(operation.value))
    case 'replace':
      read(root, path)
      return write(root, path, 'replace', required(operation.value))
    case 'remove':
      return remove(root, path)
    case 'copy':
      return write(root, path, 'add', read(root, parsePointer(operation.from)))
    case 'move': {
      const from = parsePointer(operation.from)
      // A value cannot move into itself.
      if (from.length < path.length && from.every((token, index) => token === path[index])) throw new PatchMisfit()
      const moved = read(root, from)
      return from.length === 0 ? root : write(remove(root, from), path, 'add', moved)
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

function write(root: unknown, path: readonly string[], mode: 'add' | 'replace', value: unknown): unknown {
  if (path.length === 0) return value
  return changeParent(root, path, (parent, token) => {
    if (!Array.isArray(parent)) setOwn(parent, token, value)
    else if (mode === 'replace') parent[indexOf(token, parent.length - 1)] = value
    else parent.splice(token === '-' ? parent.length : indexOf(token, parent.length), 0, value)
  })
}

function remove(root: unknown, path: readonly string[]): unknown {
  if (path.length === 0) throw new PatchMisfit()
  return changeParent(root, path, (parent, token) => {
    if (Array.isArray(parent)) parent.splice(indexOf(token, parent.length - 1), 1)
    else if (!Object.hasOwn(parent, token)) throw new PatchMisfit()
    else delete parent[token]
  })
}

/** Copies what stands on the way to a path's parent, and lets the copy of the parent be changed. */
function changeParent(
  root: unknown,
  path: readonly string[],
  change: (parent: unknown[] | Record<string, unknown>, token: string) => void,
): unknown {
  const top = copy(root)
  let parent = top
  for (const token of path.slice(0, -1)) {
    const child = copy(read(parent, [token]))
    if (Array.isArray(parent)) parent[indexOf(token, parent.length - 1)] = child
    else setOwn(parent, token, child)
    parent = child
  }
  change(parent, path.at(-1)!)
  return top
}

function copy(value: unknown): unknown[] | Record<string, unknown> {
  if (Array.isArray(value)) return [...(value as unknown[])]
  // A spread keeps an own `__proto__` as a member.
  if (isRecord(value)) return { ...value }
  throw new PatchMisfit()
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
