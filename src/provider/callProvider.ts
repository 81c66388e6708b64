import { ProviderFailure } from './providerFailure.ts'

/** Calls a provider's function; what it throws comes out as a ProviderFailure. */
export function callProvider<Result>(call: () => Result, origin: ProviderFailure['origin'] = 'provider'): Result {
  try {
    return call()
  } catch (error) {
    throw new ProviderFailure(error, origin)
  }
}
