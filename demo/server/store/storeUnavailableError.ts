/** The store cannot be reached, or cannot store anything for now; what was being written is either kept whole or not at all, and which is not known. */
export class StoreUnavailableError extends Error {
  readonly code = 'store_unavailable'

  constructor(options: { cause: unknown }) {
    super('The database could not be reached, broke off or has no room. Check DATABASE_URL and its disk, or try again.', options)
    this.name = 'StoreUnavailableError'
  }
}
