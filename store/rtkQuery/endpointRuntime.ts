import type { AnyAgentProvider } from '../../src/provider/agentProvider.ts'
import { AgentRuntimeError } from '../agentRuntimeError.ts'
import type { StoreRuntime } from '../runtime/createStoreRuntime.ts'
import { locateRuntime } from '../runtime/locateRuntime.ts'

/** What an endpoint is given of its store. */
export interface EndpointStore {
  // RTK Query's own dispatch takes thunks as well.
  // eslint-disable-next-line typescript/no-explicit-any
  dispatch: (action: any) => any
  getState: () => unknown
}

/** Finds the runtime of the store that an endpoint works in, and its provider. */
export interface EndpointRuntime {
  /** @throws AgentRuntimeError with what to add to the store. */
  require(store: EndpointStore): StoreRuntime
  /** Gives it where there is one: what only reads does without. */
  find(store: EndpointStore): StoreRuntime | undefined
  getProvider(runtime: StoreRuntime): AnyAgentProvider | string
}

export function createEndpointRuntime(options: {
  reducerPath?: string | undefined
  provider?: AnyAgentProvider | string | undefined
}): EndpointRuntime {
  const { reducerPath = 'agent', provider } = options
  const require = (store: EndpointStore) => locateRuntime(store, reducerPath)
  return {
    require,
    find(store) {
      try {
        return require(store)
      } catch {
        return undefined
      }
    },
    getProvider({ providers }) {
      const known = provider ?? providers.values().next().value
      if (known !== undefined) return known
      const message = 'The runtime has no provider. Add one to createAgentRuntime({ providers }), or name it here.'
      throw new AgentRuntimeError('unknown_provider', message)
    },
  }
}
