import type { SqlConnection, SqlRecord } from './sqlConnection.ts'

export type SqlColumnKind = 'text' | 'number' | 'boolean' | 'json'
/** One column of a table by the name of its field; the column's own name where it is another. */
export type SqlColumns<Row> = { [Field in keyof Row]-?: SqlColumn }
type SqlColumn = SqlColumnKind | { readonly name: string; readonly kind: SqlColumnKind }

/** Every `key` and `where` throws where it names nothing, an unknown field or an undefined value: it must not widen. */
export interface SqlTable<Row> {
  insert(row: Row): Promise<void>
  /** All at once, in their order. */
  insertAll(rows: readonly Row[]): Promise<void>
  /** Inserts, or takes the place of the row with the same `key` fields. */
  put(row: Row, key: readonly (keyof Row & string)[]): Promise<void>
  /** Sets some fields of the rows whose key fields are those of `key`; gives how many there are. */
  update(key: Partial<Row>, patch: Partial<Row>): Promise<number>
  remove(key: Partial<Row>): Promise<number>
  get(where: Partial<Row>, suffix?: string): Promise<Row | undefined>
  /** `rest` is SQL that follows the conditions, with its own values. */
  list(where: Partial<Row>, rest: string, values?: readonly unknown[]): Promise<Row[]>
  /** The rows of a query of one's own, which selects this table's columns (`table.columns`). */
  query(sql: string, values: readonly unknown[]): Promise<Row[]>
  readonly columns: string
}

const arrayTypes = { text: 'text[]', json: 'text[]', number: 'bigint[]', boolean: 'bigint[]' } as const

/** Reads and writes the rows of one table; every value is bound, no name comes from outside. */
export function createSqlTable<Row extends object>(
  connection: SqlConnection,
  table: string,
  columns: SqlColumns<Row>,
): SqlTable<Row> {
  const fields = Object.keys(columns) as (keyof Row & string)[]
  const kindOf = (field: keyof Row) => {
    const column: SqlColumn = columns[field]
    return typeof column === 'string' ? column : column.kind
  }
  const nameOf = (field: keyof Row & string) => {
    const column: SqlColumn = columns[field]
    return `"${typeof column === 'string' ? field : column.name}"`
  }
  const names = fields.map((field) => `"${table}".${nameOf(field)} AS "${field}"`).join(', ')
  const list = fields.map(nameOf).join(', ')
  const insertion = `INSERT INTO "${table}" (${list}) VALUES (${fields.map(() => '?').join(', ')})`
  const unnested = fields.map((field) => `?::${arrayTypes[kindOf(field)]}`).join(', ')

  const fieldsOf = (part: Partial<Row>) => fields.filter((field) => part[field] !== undefined)
  const encodeField = (row: Partial<Row>, field: keyof Row & string) => encodeValue(kindOf(field), row[field])
  const encode = (part: Partial<Row>) => fieldsOf(part).map((field) => encodeField(part, field))
  const encodeRow = (row: Row) => fields.map((field) => encodeField(row, field))
  // Texts and numbers are what they should be already: only the others are put in their form.
  const coded = fields.filter((field) => kindOf(field) === 'json' || kindOf(field) === 'boolean')
  const decode = (record: SqlRecord): Row => {
    for (const field of coded) record[field] = decodeValue(kindOf(field), record[field])
    return record as Row
  }
  const conditions = (where: Partial<Row>) => {
    const given = fieldsOf(where)
    // A condition that fell away would read or remove other people's rows.
    if (given.length === 0 || given.length !== Object.keys(where).length) {
      throw new TypeError(`A key of ${table} is empty or has an undefined field. Give every field of the key a value.`)
    }
    return given.map((field) => `"${table}".${nameOf(field)} = ?`).join(' AND ')
  }
  const select = async (sql: string, values: readonly unknown[]) => (await connection.all(sql, values)).map(decode)

  return {
    columns: names,
    async insert(row) {
      await connection.run(insertion, encodeRow(row))
    },
    async insertAll(rows) {
      if (rows.length === 0) return
      if (connection.dialect === 'postgres' && rows.length > 1) {
        const lists = fields.map((field) => rows.map((row) => encodeField(row, field)))
        await connection.run(`INSERT INTO "${table}" (${list}) SELECT * FROM unnest(${unnested})`, lists)
        return
      }
      for (const row of rows) await connection.run(insertion, encodeRow(row))
    },
    async put(row, key) {
      const others = fields.filter((field) => !key.includes(field))
      const set = others.map((field) => `${nameOf(field)} = excluded.${nameOf(field)}`).join(', ')
      const sql = `${insertion} ON CONFLICT (${key.map(nameOf).join(', ')}) DO UPDATE SET ${set}`
      await connection.run(sql, encodeRow(row))
    },
    async update(key, patch) {
      const where = conditions(key)
      const set = fieldsOf(patch).map((field) => `${nameOf(field)} = ?`).join(', ')
      if (set === '') return 0
      return connection.run(`UPDATE "${table}" SET ${set} WHERE ${where}`, [...encode(patch), ...encode(key)])
    },
    async remove(key) {
      return connection.run(`DELETE FROM "${table}" WHERE ${conditions(key)}`, encode(key))
    },
    async get(where, suffix = '') {
      const sql = `SELECT ${names} FROM "${table}" WHERE ${conditions(where)} ${suffix}`
      return (await select(sql, encode(where)))[0]
    },
    async list(where, rest, values = []) {
      const sql = `SELECT ${names} FROM "${table}" WHERE ${conditions(where)} ${rest}`
      return select(sql, [...encode(where), ...values])
    },
    query: select,
  }
}

function encodeValue(kind: SqlColumnKind, value: unknown): unknown {
  if (kind === 'json') return JSON.stringify(value ?? null)
  if (kind === 'boolean') return value === true ? 1 : 0
  // PostgreSQL's text holds no NUL; a tool's or a person's text may.
  return typeof value === 'string' && value.includes('\0') ? value.replaceAll('\0', '\u{fffd}') : value
}

function decodeValue(kind: SqlColumnKind, value: unknown): unknown {
  if (kind === 'json') return JSON.parse(value as string)
  if (kind === 'boolean') return value === 1
  return value
}
