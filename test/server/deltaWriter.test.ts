import { expect, it } from 'vitest'
import { createDeltaWriter } from '../../demo/server/runs/createDeltaWriter.ts'
import type { EventRow } from '../../demo/server/store/rows.ts'
import type { RunServerStore } from '../../demo/server/store/runServerStore.ts'
import { StoreUnavailableError } from '../../demo/server/store/storeUnavailableError.ts'
import { createRunRow } from './support/createRunRow.ts'
import { describeEachStore } from './support/eachStore.ts'

const runIds = ['r1', 'r2', 'r3']
const draft = (delta: string) => ({ type: 'message.delta' as const, payload: { messageId: 'm', delta } })
const seqsOf = (rows: readonly EventRow[] | undefined) => rows?.map(({ seq }) => seq)

describeEachStore('pieces of text of many runs', (stores) => {
  async function setUp(wrap: (store: RunServerStore) => RunServerStore = (store) => store) {
    const store = await stores.open()
    await store.transaction(async ({ runs, leases }) => {
      for (const runId of runIds) {
        await runs.insert(createRunRow({ runId, conversationId: runId }))
        await leases.take(runId, 'a/1', 1_000)
      }
    })
    let transactions = 0
    const counted = wrap({
      ...store,
      transaction(work) {
        transactions += 1
        return store.transaction(work)
      },
    })
    const write = createDeltaWriter({ store: counted, now: () => 5, crashPoint: () => undefined })
    const readLog = (runId: string) => store.read(({ events }) => events.list({ runId, after: 0 }))
    return { write, readLog, countTransactions: () => transactions }
  }

  it('are stored in one transaction, each run’s with dense sequences; what may not be written holds up nothing', async () => {
    const { write, readLog, countTransactions } = await setUp()
    const written = await Promise.all([
      write({ runId: 'r1', epoch: 1, drafts: [draft('a'), draft('b')] }),
      write({ runId: 'r2', epoch: 9, drafts: [draft('of a zombie')] }),
      write({ runId: 'r3', epoch: 1, drafts: [draft('c')] }),
      write({ runId: 'none', epoch: 1, drafts: [draft('of nobody')] }),
    ])
    expect(written.map(seqsOf)).toEqual([[1, 2], undefined, [1], undefined])
    expect(countTransactions()).toBe(1)
    expect(await readLog('r1')).toEqual(written[0])
    expect(await readLog('r2')).toEqual([])
    expect(written[0]!.map(({ event }) => event.sequence)).toEqual([1, 2])
    expect(seqsOf(await write({ runId: 'r1', epoch: 1, drafts: [draft('d')] }))).toEqual([3])
  })

  it('are each left to their run where something is wrong with one, and told as not stored where the store is gone', async () => {
    let failure: Error | undefined = new Error('One of them is broken.')
    const { write, readLog } = await setUp((store) => ({
      ...store,
      transaction: (work) =>
        store.transaction(async (transaction) => {
          const done = await work(transaction)
          if (failure !== undefined) throw failure
          return done
        }),
    }))
    const writeBoth = () =>
      Promise.all(['r1', 'r2'].map((runId) => write({ runId, epoch: 1, drafts: [draft('a')] })))
    expect(await writeBoth()).toEqual([undefined, undefined])
    expect(await readLog('r1')).toEqual([])
    failure = new StoreUnavailableError({ cause: undefined })
    await expect(writeBoth()).rejects.toBe(failure)
    failure = undefined
    expect((await writeBoth()).map(seqsOf)).toEqual([[1], [1]])
  })
})
