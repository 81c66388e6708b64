import * as z from 'zod'

/**
 * A list from outside that is counted before its entries are read; unlike `listOf`, it can be described to a model.
 */
export function shortListOf<Entry extends z.ZodType>(entry: Entry, max: number) {
  const isShort = (value: unknown): boolean => !Array.isArray(value) || value.length <= max
  return z
    .custom<z.input<Entry>[]>(isShort, `Give at most ${max} entries.`)
    // oxlint-disable-next-line redux-agent/endless-issues -- It is short by now.
    .pipe(z.array(entry).max(max))
}
