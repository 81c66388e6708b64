import fc from 'fast-check'
import { replayAgentEvents } from 'redux-agent'
import { describe, expect, it } from 'vitest'
import {
  commandBlocks,
  commandTurns,
  createCommandSession,
  expectOrder,
  expectOutcomes,
} from './createCommandSession.ts'
import { endOfTask, expectSilentConsole } from './createHarness.ts'

expectSilentConsole()

/** Every fact that the store shows is the server's, in its order, once. */
function expectPrefix({ state, server }: ReturnType<typeof createCommandSession>) {
  const last = state().lastSequenceByRun.r1 ?? 0
  expect(state()).toEqual(replayAgentEvents(server.log.slice(0, last)))
}

describe('a dense provider’s run and its commands', () => {
  it('come to the server’s log in every order of the channels, with aborts, losses and repetitions', async () => {
    await fc.assert(
      fc.asyncProperty(commandBlocks, fc.array(commandTurns, { minLength: 10, maxLength: 60 }), async (script, course) => {
        const session = createCommandSession(script)
        await endOfTask()
        for (const turn of course) {
          await session.take(turn)
          expectPrefix(session)
          expectOrder(session)
        }
        await session.finish()
        expect(session.state()).toEqual(replayAgentEvents(session.server.log))
        expect(session.state().issues).toEqual([])
        expectOutcomes(session)
        expect(session.delays()).toEqual([])
      }),
      { numRuns: 150 },
    )
  })
})
