import type { DocumentRow } from '../store/rows.ts'
import type { RunServerTransaction } from '../store/runServerStore.ts'
import { readSeedDocuments } from './readSeedDocuments.ts'

/** A person's documents, whether or not anything is stored for them yet. */
export interface Shelf {
  list(transaction: RunServerTransaction, ownerId: string): Promise<DocumentRow[]>
  get(transaction: RunServerTransaction, ownerId: string, id: string): Promise<DocumentRow | undefined>
  /** Stores the owner and what they find on their shelf, once: to be called before the first write for them. */
  open(transaction: RunServerTransaction, ownerId: string): Promise<void>
}

/** Makes the shelves of one server; until the first write, a new owner reads what all new owners read. */
export function createShelf({ now }: { now(): number }): Shelf {
  const startedAt = now()
  const seed = readSeedDocuments().map((document, index) => ({
    ...document,
    version: 1,
    updatedAt: startedAt - index * 3_600_000,
  }))
  return {
    async list(transaction, ownerId) {
      if (await transaction.users.has(ownerId)) return transaction.documents.list(ownerId)
      return seed.map((document) => ({ ...document, ownerId }))
    },
    async get(transaction, ownerId, id) {
      if (await transaction.users.has(ownerId)) return transaction.documents.get(ownerId, id)
      const document = seed.find((one) => one.id === id)
      return document && { ...document, ownerId }
    },
    async open(transaction, ownerId) {
      if (await transaction.users.has(ownerId)) return
      await transaction.users.insert(ownerId, now())
      for (const document of seed) await transaction.documents.insert({ ...document, ownerId })
    },
  }
}
