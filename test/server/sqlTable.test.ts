import Database from 'better-sqlite3'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createSqlTable } from '../../demo/server/store/sqlite/createSqlTable.ts'
import { createSqliteStore } from '../../demo/server/store/sqlite/createSqliteStore.ts'

interface Row {
  ownerId: string
  id: string
  text: string
}

function createTable() {
  const database = new Database(':memory:')
  database.exec('CREATE TABLE notes (owner_id TEXT, id TEXT, text TEXT)')
  const text = (name: string) => ({ name, kind: 'text' as const })
  const table = createSqlTable<Row>(database, 'notes', { ownerId: text('owner_id'), id: text('id'), text: text('text') })
  for (const ownerId of ['a', 'b']) for (const id of ['x', 'y']) table.insert({ ownerId, id, text: 'old' })
  return { table, readAll: () => database.prepare('SELECT * FROM notes').all() }
}

describe('a key of a table', () => {
  it('that is empty, or has an undefined or unknown field, is refused by every statement and changes nothing', () => {
    const { table, readAll } = createTable()
    const before = readAll()
    const part = fc.option(fc.constantFrom('a', 'x'), { nil: undefined })
    const key = fc.record({ ownerId: part, id: part, text: part, other: part }, { requiredKeys: [] })
    fc.assert(
      fc.property(key, (given) => {
        const isWhole = Object.values(given).every((value) => value !== undefined) && !('other' in given)
        fc.pre(!isWhole || Object.keys(given).length === 0)
        expect(() => table.get(given)).toThrow(/key of notes/)
        expect(() => table.list(given, 'id')).toThrow(/key of notes/)
        expect(() => table.remove(given)).toThrow(/key of notes/)
        expect(() => table.update(given, { text: 'new' })).toThrow(/key of notes/)
        expect(() => table.update(given, {})).toThrow(/key of notes/)
      }),
    )
    expect(readAll()).toEqual(before)
  })

  it('that is whole reaches its own rows alone', () => {
    const { table } = createTable()
    expect(table.update({ ownerId: 'a', id: 'x' }, { text: 'new', id: undefined })).toBe(1)
    expect(table.get({ ownerId: 'a', id: 'x' })).toEqual({ ownerId: 'a', id: 'x', text: 'new' })
    expect(table.remove({ ownerId: 'b' })).toBe(2)
    expect(table.list({ id: 'y' }, 'owner_id')).toEqual([{ ownerId: 'a', id: 'y', text: 'old' }])
  })

  it('without its owner removes nobody the document of the same id', async () => {
    const store = createSqliteStore(':memory:')
    const row = { id: 'x', title: 'X', content: '', version: 1, updatedAt: 1 }
    await store.transaction(async ({ documents }) => {
      for (const ownerId of ['a', 'b']) await documents.insert({ ...row, ownerId })
    })
    const nobody = undefined as unknown as string
    await expect(store.transaction(({ documents }) => documents.remove(nobody, 'x'))).rejects.toThrow(TypeError)
    const counts = await store.transaction(async ({ documents }) =>
      Promise.all(['a', 'b'].map(async (ownerId) => (await documents.list(ownerId)).length)),
    )
    expect(counts).toEqual([1, 1])
    await store.close()
  })
})
