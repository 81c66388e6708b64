import * as z from 'zod/mini'

/**
 * A list whose check stops at its first wrong entry: one from outside may be of any length, and zod's own notes what is
 * wrong with every entry, until the stack or the memory is full.
 */
export function listOf<Entry>(isEntry: (value: unknown) => value is Entry): z.ZodMiniType<readonly Entry[]> {
  return z.custom<readonly Entry[]>((value) => isListOf(value, isEntry))
}

function isListOf(value: unknown, isEntry: (value: unknown) => boolean): boolean {
  if (!Array.isArray(value)) return false
  // `every` passes over the holes of a list, which a structured clone keeps.
  for (const entry of value) if (!isEntry(entry)) return false
  return true
}
