/** How a task ended; it never rejects, as with RTK's thunks. */
export type AgentTaskResult<Value> = { readonly data: Value } | { readonly error: unknown }

/** What dispatching a thunk of the runtime gives: a promise that never rejects, and `unwrap`, whose promise may. */
export interface AgentTask<Value> extends Promise<AgentTaskResult<Value>> {
  unwrap(): Promise<Value>
}

/** Makes a task of a promise; a failure that nobody unwraps is nobody's unhandled rejection. */
export function createAgentTask<Value>(work: Promise<Value>): AgentTask<Value> {
  const settled = work.then(
    (data): AgentTaskResult<Value> => ({ data }),
    (error: unknown): AgentTaskResult<Value> => ({ error }),
  )
  return Object.assign(settled, { unwrap: () => work })
}
