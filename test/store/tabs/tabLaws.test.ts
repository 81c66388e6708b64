import { isDeepStrictEqual } from 'node:util'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { lawful, live, schedule, scheduleOf, type Schedule } from './tabLaw.ts'

// A tab that lost the session has more of the run than its owner, which had only the request from the storage.
const stateAheadOfOwner: Schedule = {
  blocks: ['say'],
  isOpen: false,
  steps: [
    { do: 'advance' },
    { do: 'deliver', count: 1, back: 0 },
    { do: 'open', tab: 1 },
    { do: 'timers', tab: 1 },
    { do: 'timers', tab: 1 },
    { do: 'act', tab: 0, what: 'abort' },
  ],
}

// The owner reads the run; what the answer of the other tab's command lacks comes by the owner's wire.
const answerAheadOfOwner: Schedule = {
  blocks: ['say'],
  isOpen: false,
  steps: [
    { do: 'advance' },
    { do: 'open', tab: 1 },
    { do: 'deliver', count: 1, back: 0 },
    { do: 'mail', count: 3 },
    { do: 'act', tab: 1, what: 'cancel' },
    { do: 'answer', isLost: false },
    { do: 'hang', tab: 0 },
    { do: 'answer', isLost: false },
  ],
}

// The end of the run comes with a snapshot, while a cancel of this tab's waits for it.
const endBySnapshot: Schedule = {
  blocks: ['ask', 'say'],
  isOpen: false,
  steps: [
    { do: 'advance' },
    { do: 'deliver', count: 1, back: 0 },
    { do: 'open', tab: 1 },
    { do: 'open', tab: 2 },
    { do: 'mail', count: 6 },
    { do: 'act', tab: 2, what: 'resume' },
    { do: 'mail', count: 1 },
    { do: 'cut' },
    { do: 'advance' },
    { do: 'act', tab: 1, what: 'cancel' },
    { do: 'open', tab: 0 },
    { do: 'cut' },
  ],
}

// A tab that is opened while its owner hangs hears of an owner whose word comes late, and then another one answers it.
const wordOfLostOwner: Schedule = {
  blocks: ['ask'],
  isOpen: false,
  steps: [
    { do: 'open', tab: 1 },
    { do: 'timers', tab: 1 },
    { do: 'hang', tab: 0 },
    { do: 'garbage' },
    { do: 'open', tab: 2 },
    { do: 'advance' },
    { do: 'deliver', count: 2, back: 0 },
    { do: 'deliver', count: 11, back: 3 },
    { do: 'timers', tab: 1 },
  ],
}

describe('whatever happens to two tabs on one session', { timeout: 600_000 }, () => {
  it('both have the plain replay in the end, each event once, by one wire and no request twice', async () => {
    const seen = { commands: 0, takeovers: 0 }
    await fc.assert(
      fc.asyncProperty(schedule, async (of) => {
        const { law, states, replayed, sent, openedBy } = await live(of)
        if (sent > 0) seen.commands += 1
        if (openedBy > 1) seen.takeovers += 1
        if (!law.isWhole) expect(states).toEqual([replayed, replayed])
        expect(law).toEqual(lawful)
      }),
      { numRuns: 250, examples: [[stateAheadOfOwner], [answerAheadOfOwner]] },
    )
    expect(seen.commands, 'schedules with commands').toBeGreaterThan(10)
    expect(seen.takeovers, 'schedules in which the other tab went on').toBeGreaterThan(20)
  })

  it('all three have it too, whatever the order in which they go', async () => {
    await fc.assert(
      fc.asyncProperty(scheduleOf(3), async (of) => {
        const { law, states, replayed } = await live(of, { tabCount: 3 })
        if (!law.isWhole) expect(states).toEqual(states.map(() => replayed))
        expect(law).toEqual(lawful)
      }),
      { numRuns: 120, examples: [[endBySnapshot], [wordOfLostOwner]] },
    )
  })

  it.each<[string, Parameters<typeof live>[1]]>([
    ['locks that everybody gets', { hasExclusion: false }],
    [
      'a cursor that is there before its event',
      {
        spoil: (provider) => ({
          ...provider,
          transport: {
            ...provider.transport,
            getCursor: (chunk) => String(Number(provider.transport.getCursor!(chunk)) + 1),
          },
        }),
      },
    ],
  ])('is seen to be broken by %s', async (_name, options) => {
    const { failed } = await fc.check(
      fc.asyncProperty(schedule, async (of) => isDeepStrictEqual((await live(of, options)).law, lawful)),
      { numRuns: 100, endOnFailure: true },
    )
    expect(failed).toBe(true)
  })
})
