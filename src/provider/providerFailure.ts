/** Carries an error of the provider or its transport past the consumer's and the protocol's, which are thrown bare. */
export class ProviderFailure {
  readonly error: unknown
  /** `transport`: the wire broke; `provider`: one of the provider's own functions threw. */
  readonly origin: 'transport' | 'provider'

  constructor(error: unknown, origin: 'transport' | 'provider') {
    this.error = error
    this.origin = origin
  }
}
