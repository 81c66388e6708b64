import Database from 'better-sqlite3'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createSqlTable } from '../../demo/server/store/sql/createSqlTable.ts'
import { createSqliteConnection } from '../../demo/server/store/sqlite/createSqliteConnection.ts'
import { createSqliteStore } from '../../demo/server/store/sqlite/createSqliteStore.ts'

interface Row {
  ownerId: string
  id: string
  text: string
}

async function createTable() {
  const database = new Database(':memory:')
  database.exec('CREATE TABLE notes ("ownerId" TEXT, "id" TEXT, "noteText" TEXT)')
  const table = createSqlTable<Row>(createSqliteConnection(database), 'notes', {
    ownerId: 'text',
    id: 'text',
    text: { name: 'noteText', kind: 'text' },
  })
  for (const ownerId of ['a', 'b']) for (const id of ['x', 'y']) await table.insert({ ownerId, id, text: 'old' })
  return { table, readAll: () => database.prepare('SELECT * FROM notes').all() }
}

describe('a key of a table', () => {
  it('that is empty, or has an undefined or unknown field, is refused by every statement', async () => {
    const { table, readAll } = await createTable()
    const before = readAll()
    const part = fc.option(fc.constantFrom('a', 'x'), { nil: undefined })
    const key = fc.record({ ownerId: part, id: part, text: part, other: part }, { requiredKeys: [] })
    await fc.assert(
      fc.asyncProperty(key, async (given) => {
        const isWhole = Object.values(given).every((value) => value !== undefined) && !('other' in given)
        fc.pre(!isWhole || Object.keys(given).length === 0)
        await expect(table.get(given)).rejects.toThrow(/key of notes/)
        await expect(table.list(given, 'ORDER BY "id"')).rejects.toThrow(/key of notes/)
        await expect(table.remove(given)).rejects.toThrow(/key of notes/)
        await expect(table.update(given, { text: 'new' })).rejects.toThrow(/key of notes/)
        await expect(table.update(given, {})).rejects.toThrow(/key of notes/)
      }),
    )
    expect(readAll()).toEqual(before)
  })

  it('that is whole reaches its own rows alone', async () => {
    const { table } = await createTable()
    expect(await table.update({ ownerId: 'a', id: 'x' }, { text: 'new', id: undefined })).toBe(1)
    expect(await table.get({ ownerId: 'a', id: 'x' })).toEqual({ ownerId: 'a', id: 'x', text: 'new' })
    expect(await table.remove({ ownerId: 'b' })).toBe(2)
    expect(await table.list({ id: 'y' }, 'ORDER BY "ownerId"')).toEqual([{ ownerId: 'a', id: 'y', text: 'old' }])
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
