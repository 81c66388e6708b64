import type { Database, Statement } from 'better-sqlite3'

type Column = 'text' | 'number' | 'boolean' | 'json'
/** One column of a table by the name of its field. */
export type SqlColumns<Row> = { [Field in keyof Row]-?: { name: string; kind: Column } }

/** Every `key` and `where` throws where it names nothing, an unknown field or an undefined value: it must not widen. */
export interface SqlTable<Row> {
  insert(row: Row, orReplace?: boolean): void
  /** Sets some fields of the rows whose key fields are those of `key`. */
  update(key: Partial<Row>, patch: Partial<Row>): number
  remove(key: Partial<Row>): number
  get(where: Partial<Row>): Row | undefined
  list(where: Partial<Row>, orderBy: string): Row[]
  /** The rows of a query of one's own, which selects this table's columns (`table.columns`). */
  query(sql: string, values: readonly unknown[] | Readonly<Record<string, unknown>>): Row[]
  readonly columns: string
}

/** Reads and writes the rows of one table; every value is bound, no name comes from outside. */
export function createSqlTable<Row extends object>(
  database: Database,
  table: string,
  columns: SqlColumns<Row>,
): SqlTable<Row> {
  const fields = Object.keys(columns) as (keyof Row)[]
  const names = fields.map((field) => `${table}.${columns[field].name}`).join(', ')
  const statements = new Map<string, Statement>()
  const prepare = (sql: string) => {
    const known = statements.get(sql)
    if (known !== undefined) return known
    const made = database.prepare(sql)
    statements.set(sql, made)
    return made
  }
  const fieldsOf = (part: Partial<Row>) => fields.filter((field) => part[field] !== undefined)
  const encode = (part: Partial<Row>) => fieldsOf(part).map((field) => encodeValue(columns[field].kind, part[field]))
  const decode = (record: unknown): Row =>
    Object.fromEntries(
      fields.map((field) => {
        const { name, kind } = columns[field]
        return [field, decodeValue(kind, (record as Record<string, unknown>)[name])]
      }),
    ) as Row
  const conditions = (where: Partial<Row>) => {
    const given = fieldsOf(where)
    // A condition that fell away would read or remove other people's rows.
    if (given.length === 0 || given.length !== Object.keys(where).length) {
      throw new TypeError(`A key of ${table} is empty or has an undefined field. Give every field of the key a value.`)
    }
    return given.map((field) => `${columns[field].name} = ?`).join(' AND ')
  }
  return {
    columns: names,
    insert(row, orReplace = false) {
      const list = fields.map((field) => columns[field].name).join(', ')
      const verb = orReplace ? 'INSERT OR REPLACE' : 'INSERT'
      const marks = fields.map(() => '?').join(', ')
      prepare(`${verb} INTO ${table} (${list}) VALUES (${marks})`).run(
        fields.map((field) => encodeValue(columns[field].kind, row[field])),
      )
    },
    update(key, patch) {
      const where = conditions(key)
      const set = fieldsOf(patch).map((field) => `${columns[field].name} = ?`).join(', ')
      if (set === '') return 0
      return prepare(`UPDATE ${table} SET ${set} WHERE ${where}`).run([...encode(patch), ...encode(key)])
        .changes
    },
    remove: (key) => prepare(`DELETE FROM ${table} WHERE ${conditions(key)}`).run(encode(key)).changes,
    get(where) {
      const record = prepare(`SELECT ${names} FROM ${table} WHERE ${conditions(where)}`).get(encode(where))
      return record === undefined ? undefined : decode(record)
    },
    list: (where, orderBy) =>
      prepare(`SELECT ${names} FROM ${table} WHERE ${conditions(where)} ORDER BY ${orderBy}`)
        .all(encode(where))
        .map(decode),
    query: (sql, values) => prepare(sql).all(values).map(decode),
  }
}

function encodeValue(kind: Column, value: unknown): unknown {
  if (kind === 'json') return JSON.stringify(value ?? null)
  if (kind === 'boolean') return value === true ? 1 : 0
  return value
}

function decodeValue(kind: Column, value: unknown): unknown {
  if (kind === 'json') return JSON.parse(value as string)
  if (kind === 'boolean') return value === 1
  return value
}
