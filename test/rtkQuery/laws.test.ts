import fc from 'fast-check'
import { replayAgentEvents } from 'redux-agent'
import { describe, expect, it } from 'vitest'
import { expectSilentConsole } from '../store/createHarness.ts'
import { createEndpointApp, settle } from './support/createEndpointApp.tsx'
import { createRunHost } from './support/createRunHost.ts'
import { holdTestClock } from './support/holdTestClock.ts'

holdTestClock()
expectSilentConsole()

type Step =
  | { kind: 'mount' | 'unmount' | 'refetch' | 'patch' | 'upsert'; run: number }
  | { kind: 'say' | 'cut' | 'end'; run: number }
  | { kind: 'timers' | 'reset' | 'wait' | 'online' }

const onRun = (...kinds: ('mount' | 'unmount' | 'refetch' | 'patch' | 'upsert' | 'say' | 'cut' | 'end')[]) =>
  fc.record({ kind: fc.constantFrom(...kinds), run: fc.nat(1) }) as fc.Arbitrary<Step>
const arbitraryStep: fc.Arbitrary<Step> = fc.oneof(
  { weight: 4, arbitrary: onRun('mount', 'mount', 'unmount', 'refetch') },
  { weight: 1, arbitrary: onRun('patch', 'upsert') },
  { weight: 4, arbitrary: onRun('say', 'say', 'cut') },
  { weight: 1, arbitrary: onRun('end') },
  {
    weight: 3,
    arbitrary: fc.record({ kind: fc.constantFrom('timers', 'reset', 'wait', 'wait', 'online') }) as fc.Arbitrary<Step>,
  },
)

describe('whoever comes and goes while runs are followed', () => {
  it('opens as many wires as it closes, one at a time a run, and shows a prefix of the log at any time', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(arbitraryStep, { minLength: 1, maxLength: 25 }), async (steps) => {
        const host = createRunHost()
        const runs = [0, 1].map((index) => {
          const run = host.createRun(`r${index}`, `c${index}`)
          run.speak('What was said before.')
          return { ...run, hasEnded: false }
        })
        const app = createEndpointApp(host, { keepUnusedDataFor: 0 })
        const { api, store, state } = app
        const subscriptions = new Map<number, { unsubscribe(): void; refetch(): unknown }[]>([
          [0, []],
          [1, []],
        ])

        function expectPrefix() {
          for (const index of [0, 1]) {
            const { runs: known, messages, lastSequenceByRun, issues } = state(`c${index}`)
            const last = lastSequenceByRun[`r${index}`]
            expect(issues).toEqual([])
            if (last === undefined) continue
            const prefix = replayAgentEvents(host.logOf(`r${index}`).filter(({ sequence }) => sequence <= last))
            expect({ known, messages }).toEqual({ known: prefix.runs, messages: prefix.messages })
          }
        }

        for (const step of steps) {
          if ('run' in step) {
            const run = runs[step.run]!
            const own = subscriptions.get(step.run)!
            if (step.kind === 'mount') {
              own.push(store.dispatch(api.endpoints.followRun.initiate(`r${step.run}`)))
            } else if (step.kind === 'unmount') own.shift()?.unsubscribe()
            else if (step.kind === 'refetch') void own[0]?.refetch()
            else if (step.kind === 'patch') {
              // What the app writes into an entry is shown until the next change, and moves no wire.
              const patch = api.util.updateQueryData('followRun', `r${step.run}`, (draft) => {
                Object.assign(draft, { status: 'failed', lastSequence: 99 })
              })
              store.dispatch(patch)
            } else if (step.kind === 'upsert') {
              const [runId, sessionId] = [`r${step.run}`, `c${step.run}`]
              const given = { runId, sessionId, status: 'running', connection: 'idle', lastSequence: -1 } as const
              void store.dispatch(api.util.upsertQueryData('followRun', runId, given))
            } else if (step.kind === 'cut') run.cut()
            else if (!run.hasEnded) {
              if (step.kind === 'say') run.say('message.delta', { messageId: 'm1', delta: ' More.' })
              else {
                run.hasEnded = true
                run.end()
              }
            }
          } else if (step.kind === 'timers') app.fireTimers()
          else if (step.kind === 'reset') {
            store.dispatch(api.util.resetApiState())
            for (const own of subscriptions.values()) own.length = 0
          } else await settle(3)
          expectPrefix()
          for (const index of [0, 1]) expect(host.wireOf(`r${index}`).atOnce).toBeLessThanOrEqual(1)
        }

        await settle()
        // Who still follows is told the rest, also where its wire was cut.
        for (let round = 0; round < 4; round += 1) {
          app.fireTimers()
          await settle(6)
        }
        expectPrefix()
        for (const [index, own] of subscriptions) {
          if (own.length === 0) continue
          expect(state(`c${index}`).lastSequenceByRun[`r${index}`]).toBe(host.logOf(`r${index}`).length)
        }
        for (const own of subscriptions.values()) for (const subscription of own) subscription.unsubscribe()
        await settle()
        app.fireTimers()
        await settle()
        const { opened, closed } = host.count()
        expect(closed).toBe(opened)
        expect([state('c0').runs, state('c1').runs]).toEqual([{}, {}])
      }),
      { numRuns: 60 },
    )
  })
})
