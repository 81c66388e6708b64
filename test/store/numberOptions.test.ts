import { createAgentRuntime, type AgentRuntimeOptions } from 'redux-agent'
import { createGate, createScriptedProvider } from 'redux-agent/testing'
import { describe, expect, it } from 'vitest'
import { createCommandRun } from './createCommandRun.ts'
import { createHarness, endOfTask } from './createHarness.ts'
import { createResumableRun } from './createResumableRun.ts'
import { createShortRun } from './createRunEvents.ts'

type Numbers = Pick<
  AgentRuntimeOptions<'agent'>,
  'batch' | 'commandTimeout' | 'reconnect' | 'restoreTimeout' | 'saveInterval' | 'maxSettledRuns'
>

/** A runtime's options with one number, by its name. */
const withNumber: Record<string, (value: number) => Numbers> = {
  'batch.maxDelay': (maxDelay) => ({ batch: { maxDelay } }),
  'batch.maxEvents': (maxEvents) => ({ batch: { maxEvents } }),
  commandTimeout: (commandTimeout) => ({ commandTimeout }),
  'reconnect.maxAttempts': (maxAttempts) => ({ reconnect: { maxAttempts } }),
  'reconnect.initialDelay': (initialDelay) => ({ reconnect: { initialDelay } }),
  'reconnect.maxDelay': (maxDelay) => ({ reconnect: { maxDelay } }),
  restoreTimeout: (restoreTimeout) => ({ restoreTimeout }),
  saveInterval: (saveInterval) => ({ saveInterval }),
  maxSettledRuns: (maxSettledRuns) => ({ maxSettledRuns }),
}
const names = Object.keys(withNumber)

describe('a number of a runtime', () => {
  it.each(names)('is refused by its name where it is none, or less than nothing: %s', (name) => {
    for (const value of [NaN, -1, -Infinity, '5', null, {}] as number[]) {
      expect(() => createAgentRuntime(withNumber[name]!(value))).toThrowError(
        expect.objectContaining({ code: 'invalid_option', message: expect.stringContaining(`"${name}"`) }),
      )
    }
  })

  it.each(names)('may have no bound, or be left out: %s', (name) => {
    for (const value of [1, Infinity, undefined] as number[]) {
      expect(() => createAgentRuntime(withNumber[name]!(value))).not.toThrow()
    }
  })

  it('counts whole things where it counts', () => {
    for (const name of ['reconnect.maxAttempts', 'maxSettledRuns']) {
      expect(() => createAgentRuntime(withNumber[name]!(1.5))).toThrow('Give a whole number of at least 0')
    }
    expect(() => createAgentRuntime({ batch: { maxEvents: 0 } })).toThrow('"batch.maxEvents" is 0')
  })

  it('is refused with a run or a session as well', async () => {
    const provider = createScriptedProvider({ steps: [] })
    const { agent, store } = createHarness({ providers: [provider] })
    const reconnect = { maxAttempts: NaN }
    const { startRun, openSession } = agent.actions
    const tasks = [
      store.dispatch(startRun({ sessionId: 's1', provider: 'scripted', input: null, reconnect })),
      store.dispatch(openSession({ sessionId: 's1', reconnect })),
    ]
    for (const task of tasks) await expect(task.unwrap()).rejects.toMatchObject({ code: 'invalid_option' })
  })
})

describe('a command without a time limit', () => {
  it.each([0, Infinity])('waits for as long as its run goes on, and no longer: %d', async (commandTimeout) => {
    for (const isBegun of [false, true]) {
      const [main, begun, hung] = [createGate(), createGate(), createGate()]
      const run = await createCommandRun({
        answers: {
          'approval.resolve': [
            { gate: begun },
            { events: (events) => [events.create('message.started', { messageId: 'm', role: 'assistant' }, { sequence: 90 })] },
            { gate: hung },
          ],
        },
        rest: [{ gate: main }, { events: (events) => [events.create('run.completed', {}, { sequence: 91 })] }],
        stays: false,
        commandTimeout,
      })
      const task = run.approve()
      await begun.reached
      if (isBegun) {
        begun.open()
        await hung.reached
      }
      expect(run.delays().filter((delay) => delay < Infinity)).toEqual([])
      main.open()
      await run.main.unwrap()
      expect(run.commands()).toMatchObject([{ status: 'submitting' }])
      run.fireTimers(10_000)
      await expect(task.unwrap()).rejects.toMatchObject({ code: 'command_timeout', retryable: false })
      expect(run.commands()).toMatchObject([{ status: 'failed' }])
    }
  })
})

describe('a run that is taken up again without end', () => {
  it('says which attempt it is, and of no number that JSON does not have', async () => {
    const { start, rest, retryAfter, connection, store } = createResumableRun({
      events: createShortRun('r1'),
      plan: ({ index }) => ({ cutAfterChunks: index === 0 ? 2 : 0 }),
      harness: { reconnect: { maxAttempts: Infinity } },
    })
    start()
    await rest()
    await retryAfter(500)
    await rest()
    expect(connection('r1')).toMatchObject({ state: 'reconnecting', attempt: 2 })
    expect(connection('r1')).not.toHaveProperty('maxAttempts')
    expect(JSON.parse(JSON.stringify(store.getState()))).toEqual(store.getState())
    await endOfTask()
  })
})
