import { vi } from 'vitest'

/** Waits until nothing is thrown any more, for as long as a busy machine may need: by itself `vi.waitFor` gives up in a second. */
export const eventually = <Result>(check: () => Result | Promise<Result>): Promise<Result> =>
  vi.waitFor(check, { timeout: 60_000 })
