/** The store cannot be reached; what was being written is either kept whole or not at all, and which is not known. */
export class StoreUnavailableError extends Error {
  readonly code = 'store_unavailable'

  constructor(options: { cause: unknown }) {
    super('The database could not be reached, or broke off. Check DATABASE_URL, or try again.', options)
    this.name = 'StoreUnavailableError'
  }
}
