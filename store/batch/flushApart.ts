import { apart } from './apart.ts'

/** Tells the store what has been gathered, apart from what the app makes of it. */
export function flushApart(batcher: { flush(): void }): void {
  apart(() => batcher.flush())
}
