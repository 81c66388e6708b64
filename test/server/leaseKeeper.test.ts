import { describe, expect, it } from 'vitest'
import { createLeaseKeeper } from '../../demo/server/runs/createLeaseKeeper.ts'
import type { RunExecutor } from '../../demo/server/runs/createRunExecutor.ts'
import type { RunServices } from '../../demo/server/runs/runServices.ts'
import { createManualTimers } from './support/createManualTimers.ts'
import { createGate } from './support/createScriptedModel.ts'

/** A keeper whose node works on two runs; `kept` are those that it still has. */
function createKeeper(options: { kept: readonly string[]; looking?: Promise<unknown> }) {
  const timers = createManualTimers()
  const renewed: string[][] = []
  const lost: string[] = []
  const working = new Set(['r1', 'r2'])
  const renew = async ({ runIds }: { runIds: string[] }) => {
    renewed.push(runIds)
    return options.kept
  }
  const services = {
    ...{ ...timers, holder: 'a/1', settings: { leaseMs: 3_000 }, observer: { leaseLost: (id: string) => lost.push(id) } },
    store: {
      transaction: async (work: (transaction: unknown) => unknown) => work({ leases: { renew } }),
      // Looking for what others have left takes as long as the test says, and finds nothing.
      read: async () => (await options.looking, []),
    },
  } as unknown as RunServices
  const executor = {
    listWorking: () => [...working],
    stop: (runId: string) => working.delete(runId),
  } as unknown as RunExecutor
  const keeper = createLeaseKeeper(services, executor, { isRecovering: true })
  const beat = async () => {
    await timers.whenSet(1_000)
    timers.advance(1_000)
    await timers.whenSet(1_000)
  }
  return { keeper, beat, renewed, lost }
}

describe('the heartbeats of a node', () => {
  it('go on while runs that others have left are being taken over, however long that takes', async () => {
    const looking = createGate()
    const { keeper, beat, renewed } = createKeeper({ kept: ['r1', 'r2'], looking: looking.opened })
    for (let turn = 0; turn < 3; turn += 1) await beat()
    expect(renewed).toEqual(Array.from({ length: 3 }, () => ['r1', 'r2']))
    looking.open()
    await keeper.close()
  })

  it('tell once of a run that is another’s by now, and stop its work', async () => {
    const { keeper, beat, renewed, lost } = createKeeper({ kept: ['r1'] })
    await beat()
    await beat()
    expect(lost).toEqual(['r2'])
    expect(renewed).toEqual([['r1', 'r2'], ['r1']])
    await keeper.close()
  })
})
