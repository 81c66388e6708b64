import { isDeepStrictEqual } from 'node:util'
import * as fc from 'fast-check'
import { describe, expect, it, vi } from 'vitest'
import { lawful, live, schedule } from './tabLaw.ts'

// The naive variant of the one rule that keeps a checkpoint from being put over newer state.
vi.mock('../../../store/checkpoint/createMemoryRule.ts', () => ({ createMemoryRule: () => () => false }))

describe('the law of two tabs catches', { timeout: 600_000 }, () => {
  it('a checkpoint that is put over newer state', async () => {
    const { failed } = await fc.check(
      fc.asyncProperty(schedule, async (of) => isDeepStrictEqual((await live(of)).law, lawful)),
      { numRuns: 1500, endOnFailure: true },
    )
    expect(failed).toBe(true)
  })
})
