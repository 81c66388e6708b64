/** One message of a runtime's stream, parsed and not yet looked into. */
export interface AdapterChunk {
  /** Its number on this connection, from 0; comments and skipped messages are not counted. */
  readonly index: number
  /** The JSON value; absent where `isDone`. */
  readonly data?: unknown
  /** The event stream's own fields, where it has them. */
  readonly event: string
  readonly id: string
  /** Whether it is the closing word `[DONE]`, which some runtimes send. */
  readonly isDone: boolean
}
