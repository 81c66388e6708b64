import type { RunServerTransaction } from '../runServerStore.ts'
import type { SqlTables } from './createSqlTables.ts'
import type { SqlConnection } from './sqlConnection.ts'

type Workspace = Pick<RunServerTransaction, 'users' | 'documents' | 'memories' | 'publications'>

/** What the demo's tools work on; every write makes the owner's revision another. */
export function createWorkspaceQueries(connection: SqlConnection, tables: SqlTables): Workspace {
  const { owners, documents, memories, publications } = tables
  const revise = async (ownerId: string) => {
    await connection.run('UPDATE "workspaceOwners" SET "revision" = "revision" + 1 WHERE "ownerId" = ?', [ownerId])
  }
  return {
    users: {
      has: async (ownerId) => (await owners.get({ ownerId })) !== undefined,
      insert: (ownerId, createdAt) => owners.insert({ ownerId, revision: 0, createdAt }),
      getRevision: async (ownerId) => (await owners.get({ ownerId }))?.revision ?? 0,
    },
    documents: {
      list: (ownerId) => documents.list({ ownerId }, 'ORDER BY "updatedAt" DESC, "id"'),
      get: (ownerId, id) => documents.get({ ownerId, id }),
      async insert(row) {
        await documents.insert(row)
        await revise(row.ownerId)
      },
      async update({ ownerId, id, ...patch }) {
        await documents.update({ ownerId, id }, patch)
        await revise(ownerId)
      },
      async remove(ownerId, id) {
        const isRemoved = (await documents.remove({ ownerId, id })) > 0
        await revise(ownerId)
        return isRemoved
      },
    },
    memories: {
      list: (ownerId) => memories.list({ ownerId }, 'ORDER BY "position"'),
      async insert(row) {
        await memories.insert(row)
        await revise(row.ownerId)
      },
    },
    publications: {
      get: (ownerId, documentId) => publications.get({ ownerId, documentId }),
      async put(row) {
        await publications.put(row, ['ownerId', 'documentId'])
        await revise(row.ownerId)
      },
    },
  }
}
