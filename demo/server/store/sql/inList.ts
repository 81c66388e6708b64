import type { SqlConnection } from './sqlConnection.ts'

/** A condition that a column is one of a list of texts, with the one value that stands for the list. */
export function inList(
  { dialect }: SqlConnection,
  column: string,
  values: readonly string[],
): { sql: string; value: unknown } {
  return dialect === 'postgres'
    ? { sql: `${column} = ANY(?::text[])`, value: values }
    : { sql: `${column} IN (SELECT value FROM json_each(?))`, value: JSON.stringify(values) }
}
