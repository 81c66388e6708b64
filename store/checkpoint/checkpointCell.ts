/** What was found under a key. */
export interface StoredValue {
  /** As the engine gave it. */
  readonly raw: unknown
  /** What it says; nothing where it is no JSON or cannot be decrypted. */
  readonly value: unknown
}

/** One key of the storage, with the persistoid that writes it. */
export interface CheckpointCell<Value extends object> {
  readonly key: string
  read(): Promise<StoredValue | undefined>
  /** Takes the value that is to be written next, once the throttle lets it. */
  stage(value: Value): void
  /** Writes what was staged at once; with a synchronous engine before this returns. Rejects where that failed. */
  flush(): Promise<void>
  purge(): Promise<void>
  /** Lets nothing through any more. */
  close(): void
}

/** How a key is written. */
export interface CheckpointCellOptions<Value extends object> {
  readonly key: string
  /** The least time between two writes, in milliseconds; 0 by default. */
  readonly throttle?: number | undefined
  /** Makes the text when the time to write has come; what it throws is the write's failure. */
  toText(value: Value): string
  /** Has the last word on the text, once nothing else is being written. */
  revise?(text: string): Promise<string>
  /** Says that a write of this value has begun. */
  onWrite?(value: Value, outcome: Promise<void>): void
}

export type OpenCheckpointCell = <Value extends object>(options: CheckpointCellOptions<Value>) => CheckpointCell<Value>
