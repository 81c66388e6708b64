/** One message of an AG-UI stream, parsed and not yet looked into. */
export interface AgUiChunk {
  /** Its number on this connection, from 0. */
  readonly index: number
  readonly data: unknown
  /** Where a resume goes on after this chunk; absent where the runtime gives no cursor. */
  readonly cursor?: string | undefined
}
