import type { AgentTransport } from '../../provider/agentTransport.ts'
import { createAsyncIterableTransport } from '../../transport/asyncIterable.ts'
import type { AgUiChunk } from './agUiChunk.ts'
import type { AgUiRequest } from './agUiRequest.ts'
import type { AgUiRunInput } from './agUiWire.ts'
import { noteChunk } from './createAgUiTransport.ts'
import { iterateObservable, type ObservableLike } from './iterateObservable.ts'
import { withKnownEnd } from './withKnownEnd.ts'

/**
 * Makes the provider's transport of events that something else brings, such as an `AbstractAgent` of `@ag-ui/client`:
 * give it `agent.run(input)`, the events as they come, and not what `runAgent` makes of them.
 *
 * @example
 * const support = createAgUiProvider({ transport: fromAgUiObservable((input) => agent.run(input)) })
 * @experimental
 */
export function fromAgUiObservable(
  run: (input: AgUiRunInput, options: { signal: AbortSignal }) => ObservableLike<unknown> | AsyncIterable<unknown>,
): AgentTransport<AgUiRequest, AgUiChunk> {
  return withKnownEnd(
    createAsyncIterableTransport(async function* (request: AgUiRequest, signal: AbortSignal) {
      const source = run(request.getInput(), { signal })
      const events = Symbol.asyncIterator in source ? source : iterateObservable(source, signal)
      for await (const data of events) {
        noteChunk(request, data)
        yield { index: request.chunks++, data }
      }
    }),
  )
}
