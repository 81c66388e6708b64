/** A value that is there, or comes: with a synchronous engine everything must happen before the call returns. */
export type Awaitable<Value> = Value | PromiseLike<Value>
