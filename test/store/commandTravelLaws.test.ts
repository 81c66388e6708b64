import type { Store, StoreEnhancer, UnknownAction } from '@reduxjs/toolkit'
import { ActionCreators, instrument, type LiftedState } from '@redux-devtools/instrument'
import fc from 'fast-check'
import { AgentModuleError, replayAgentEvents } from 'redux-agent'
import { describe, expect, it } from 'vitest'
import { commandBlocks, commandTurns, createCommandSession, expectOutcomes } from './createCommandSession.ts'
import { endOfTask, expectSilentConsole } from './createHarness.ts'

expectSilentConsole()

const travelTurns = fc.oneof(
  { weight: 3, arbitrary: commandTurns },
  {
    weight: 2,
    arbitrary: fc.oneof(
      fc.record({ name: fc.constant('jump' as const), to: fc.nat(1000) }),
      fc.record({ name: fc.constant('toggle' as const), at: fc.nat(1000) }),
      fc.record({ name: fc.constant('reorder' as const), from: fc.nat(1000), to: fc.nat(1000) }),
      fc.constantFrom(...(['return', 'lock', 'unlock', 'import', 'commit', 'rollback', 'reset'] as const)).map(
        (name) => ({ name }),
      ),
    ),
  },
)
type TravelTurn = typeof travelTurns extends fc.Arbitrary<infer Value> ? Value : never

type Lifted = Store<LiftedState<unknown, UnknownAction, null>>

/** The session in a store with DevTools, which do to it what a person can. */
function createTravelled(script: Parameters<typeof createCommandSession>[0]) {
  const session = createCommandSession(script, { enhancer: instrument() as unknown as StoreEnhancer })
  const lifted = (session.store as unknown as { liftedStore: Lifted }).liftedStore
  const devTools = (action: unknown) => void lifted.dispatch(action as never)
  const early = lifted.getState()
  const staged = (number: number) => {
    const { stagedActionIds } = lifted.getState()
    return stagedActionIds[1 + (number % Math.max(1, stagedActionIds.length - 1))]
  }
  const present = () => devTools(ActionCreators.jumpToState(lifted.getState().stagedActionIds.length - 1))

  async function take(turn: TravelTurn) {
    switch (turn.name) {
      case 'jump':
        return devTools(ActionCreators.jumpToState(turn.to % lifted.getState().stagedActionIds.length))
      case 'toggle': {
        const id = staged(turn.at)
        return id === undefined ? undefined : devTools(ActionCreators.toggleAction(id))
      }
      case 'reorder': {
        const [from, to] = [staged(turn.from), staged(turn.to)]
        return from === undefined || to === undefined ? undefined : devTools(ActionCreators.reorderAction(from, to))
      }
      case 'import':
        return devTools(ActionCreators.importState(early as never))
      case 'return':
        return present()
      case 'lock':
        return devTools(ActionCreators.lockChanges(true))
      case 'unlock':
        return devTools(ActionCreators.lockChanges(false))
      case 'commit':
        return devTools(ActionCreators.commit())
      case 'rollback':
        return devTools(ActionCreators.rollback())
      case 'reset':
        return devTools(ActionCreators.reset())
      default:
        return session.take(turn)
    }
  }

  /** Goes back to the present, where nothing is held back. */
  function goHome() {
    devTools(ActionCreators.lockChanges(false))
    present()
  }
  return { ...session, take, goHome }
}

const refusals =
  /^(time_travel|missing_run|run_ended|approval_not_waiting|tool_not_failed|not_retryable|already_submitted|restoring|not_resumable)$/

describe('time travel during commands', () => {
  it('sends nothing twice and loses nothing, in every order with all that happens meanwhile', async () => {
    await fc.assert(
      fc.asyncProperty(
        commandBlocks,
        fc.array(travelTurns, { minLength: 10, maxLength: 50 }),
        async (script, course) => {
          const session = createTravelled(script)
          await endOfTask()
          for (const turn of course) {
            const [sent, opened] = [session.server.sent.length, session.server.opened()]
            const asked = session.tasks.length
            await session.take(turn)
            if (session.tasks.length === asked && isTravel(turn)) {
              await endOfTask()
              expect(session.server.sent).toHaveLength(sent)
              expect(session.server.opened()).toBe(opened)
            }
            expect(session.server.underWay().filter(({ type }) => type !== 'run.cancel').length).toBeLessThanOrEqual(1)
          }
          session.goHome()
          await session.finish()
          // Whoever rewrites a history sees what they made of it until something is asked, which is refused by then.
          session.store.dispatch(session.agent.actions.resumeRun({ runId: 'r1' }))
          expect(session.state()).toEqual(replayAgentEvents(session.server.log))
          expectOutcomes(session)
          // Nobody was refused without being told why.
          for (const task of session.tasks) {
            const result = await task
            if (!('error' in result)) continue
            const { error } = result
            const isTold = AgentModuleError.isInstance(error) || (error as { code?: string }).code === 'conflict'
            expect(isTold, String(error)).toBe(true)
            if ((error as Error).name === 'AgentRuntimeError') {
              expect((error as { code: string }).code).toMatch(
                new RegExp(`${refusals.source}|^(interrupted|command_timeout)$`),
              )
            }
          }
          // Each sending was asked for: a wish is sent once.
          const accepted = (await Promise.all(session.tasks)).filter(
            (result) => !('error' in result && refusals.test(String((result.error as { code?: unknown }).code))),
          )
          expect(session.server.sent.length).toBeLessThanOrEqual(accepted.length)
        },
      ),
      { numRuns: 100 },
    )
  })
})

const isTravel = ({ name }: TravelTurn) =>
  ['jump', 'toggle', 'reorder', 'import', 'return', 'lock', 'unlock', 'commit', 'rollback', 'reset'].includes(name)
