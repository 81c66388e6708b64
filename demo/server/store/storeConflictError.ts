/** The store refused a row because one with the same key is there already, however often the work was tried. */
export class StoreConflictError extends Error {
  readonly code = 'store_conflict'

  constructor(options: { cause: unknown }) {
    super('A row with the same unique key is stored already. Read what is there before writing anew.', options)
    this.name = 'StoreConflictError'
  }
}
