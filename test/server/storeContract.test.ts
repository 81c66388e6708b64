import { expect, it } from 'vitest'
import { appendEvents } from '../../demo/server/runs/appendEvents.ts'
import { endRun } from '../../demo/server/runs/endRun.ts'
import { LeaseLostError } from '../../demo/server/runs/leaseLostError.ts'
import { RunEndedError } from '../../demo/server/runs/runEndedError.ts'
import type { RunServerStore } from '../../demo/server/store/runServerStore.ts'
import { StoreConflictError } from '../../demo/server/store/storeConflictError.ts'
import { createGate } from './support/createScriptedModel.ts'
import { createRunRow } from './support/createRunRow.ts'
import { describeEachStore } from './support/eachStore.ts'

const delta = (text: string, messageId = 'm') => ({
  type: 'message.delta' as const,
  payload: { messageId, delta: text },
})
const insertRun = (store: RunServerStore, more: Parameters<typeof createRunRow>[0] = {}) =>
  store.transaction(({ runs }) => runs.insert(createRunRow(more)))
const append = (store: RunServerStore, text: string, epoch?: number) =>
  store.transaction((transaction) =>
    appendEvents(transaction, { runId: 'r1', drafts: [delta(text)], now: 2, epoch }),
  )
const readLog = (store: RunServerStore, after = 0) =>
  store.read(({ events }) => events.list({ runId: 'r1', after }))
const countTo = (end: number) => Array.from({ length: end }, (_, index) => index + 1)

describeEachStore('the store', (stores) => {
  it('gives dense sequences to eight racing writers, and nothing to work that fails', async () => {
    const processes = await Promise.all(countTo(2).map(() => stores.open()))
    await insertRun(processes[0]!)
    const write = async (store: RunServerStore, writer: number) => {
      for (const turn of countTo(25)) {
        const work = store.transaction(async (transaction) => {
          await appendEvents(transaction, { runId: 'r1', drafts: [delta(`${writer}.${turn}`), delta('')], now: turn })
          if (turn % 5 === 0) throw new Error('taken back')
        })
        if (turn % 5 === 0) await expect(work).rejects.toThrow('taken back')
        else await work
      }
    }
    await Promise.all(countTo(8).map((writer) => write(processes[writer % 2]!, writer)))
    const rows = await readLog(processes[1]!)
    expect(rows.map(({ seq }) => seq)).toEqual(countTo(8 * 20 * 2))
    expect(rows.every(({ seq, event }) => event.sequence === seq)).toBe(true)
    const run = await processes[0]!.read(({ runs }) => runs.get('r1'))
    expect(run).toMatchObject({ lastSeq: 320 })
  })

  it('is not there for now once it is closed, to whoever is still at work, and may be closed again', async () => {
    const store = await stores.open()
    await insertRun(store)
    await store.close()
    const work = [store.transaction, store.read, store.glance].map((ask) => ask(({ runs }) => runs.get('r1')))
    for (const asked of await Promise.allSettled(work)) {
      expect(asked).toMatchObject({ status: 'rejected', reason: { code: 'store_unavailable' } })
    }
    await store.close()
  })

  it('refuses one whose lease another has taken, and everyone once the run has ended', async () => {
    const [first, second] = [await stores.open(), await stores.open()]
    await insertRun(first)
    const take = (store: RunServerStore, holder: string) =>
      store.transaction(({ leases }) => leases.take('r1', holder, 1_000))
    expect(await take(first, 'a/1')).toBe(1)
    await append(first, 'mine', 1)
    expect(await second.read(({ leases }) => leases.listAbandoned({ now: 999, limit: 9 }))).toEqual([])
    expect(await second.read(({ leases }) => leases.listAbandoned({ now: 1_000, limit: 9 }))).toMatchObject([
      { runId: 'r1', epoch: 1, leaseHolder: 'a/1' },
    ])
    expect(await take(second, 'b/1')).toBe(2)
    const renewal = { runIds: ['r1', 'r2'], expiresAt: 5_000 }
    // The zombie comes back: it may neither write, nor keep or give back what is not its own.
    await expect(append(first, 'zombie', 1)).rejects.toThrow(LeaseLostError)
    await expect(
      first.transaction((transaction) => appendEvents(transaction, { runId: 'r1', drafts: [], now: 1, epoch: 1 })),
    ).rejects.toThrow(LeaseLostError)
    expect(await first.transaction(({ leases }) => leases.renew({ holder: 'a/1', ...renewal }))).toEqual([])
    await first.transaction(({ leases }) => leases.release('r1', 1))
    expect(await second.transaction(({ leases }) => leases.renew({ holder: 'b/1', ...renewal }))).toEqual(['r1'])
    await append(second, 'successor', 2)
    // A person's command needs no lease.
    await append(first, 'person')
    await second.transaction((transaction) =>
      endRun(transaction, { runId: 'r1', ending: { type: 'cancelled' }, now: 3 }),
    )
    for (const epoch of [1, 2, undefined]) await expect(append(first, 'late', epoch)).rejects.toThrow(RunEndedError)
    expect(await take(first, 'a/2')).toBeUndefined()
    expect((await readLog(first)).map(({ event }) => event.type)).toEqual([
      ...['message.delta', 'message.delta', 'message.delta', 'run.cancelled'],
    ])
  })

  it('gives many runs their next sequences at once, but none to a zombie, an ended run or one that another has locked', async () => {
    const [store, other] = [await stores.open(), await stores.open()]
    for (const runId of ['r1', 'r2', 'r3', 'r4']) await insertRun(store, { runId, conversationId: runId, lastSeq: 7 })
    for (const runId of ['r1', 'r2', 'r3', 'r4']) {
      await store.transaction(({ leases }) => leases.take(runId, 'a/1', 1_000))
    }
    await store.transaction(({ runs }) => runs.update('r3', { status: 'completed' }))
    const take = (...asked: [string, number, number][]) =>
      store.transaction(async ({ runs }) => {
        const requests = asked.map(([runId, epoch, count]) => ({ runId, epoch, count, now: 2 }))
        const taken = await runs.takeFreeSequences(requests)
        return Object.fromEntries(taken.map(({ runId, lastSeq }) => [runId, lastSeq]))
      })
    expect(await take(['r4', 1, 1], ['r1', 1, 3], ['r2', 2, 1], ['r3', 1, 1], ['r9', 1, 1])).toEqual({ r1: 10, r4: 8 })
    expect(await store.read(({ runs }) => runs.get('r2'))).toMatchObject({ lastSeq: 7 })
    if (stores.name === 'SQLite') return
    const [isLocked, gate] = [createGate(), createGate()]
    const holding = other.transaction(async ({ runs }) => {
      await runs.lock('r1')
      isLocked.open()
      await gate.opened
    })
    await isLocked.opened
    expect(await take(['r1', 1, 1], ['r2', 1, 1])).toEqual({ r2: 8 })
    gate.open()
    await holding
    expect(await take(['r1', 1, 1])).toEqual({ r1: 11 })
  })

  it('finds the leases of an earlier life of the same node at once', async () => {
    const store = await stores.open()
    await insertRun(store)
    await store.transaction(({ leases }) => leases.take('r1', 'node/1', 1_000))
    const find = (node: string) => store.read(({ leases }) => leases.listAbandoned({ now: 1, node, limit: 9 }))
    expect(await find('node')).toMatchObject([{ runId: 'r1' }])
    for (const other of ['nod', 'node/1', 'other', 'no%']) expect(await find(other)).toEqual([])
  })

  it('commits a run’s events in the order of their sequences, so that no cursor passes one by', async () => {
    const [first, second] = [await stores.open(), await stores.open()]
    await insertRun(first)
    const given = createGate()
    const go = createGate()
    const order: string[] = []
    const slow = first.transaction(async (transaction) => {
      await appendEvents(transaction, { runId: 'r1', drafts: [delta('slow')], now: 1 })
      given.open()
      await go.opened
    })
    await given.opened
    // SQLite's writers of two processes exclude each other by blocking, which one process cannot wait for.
    const other = stores.name === 'SQLite' ? first : second
    const fast = append(other, 'fast').then(() => order.push('fast'))
    if (stores.name === 'PostgreSQL') expect(await readLog(second)).toEqual([])
    go.open()
    await slow.then(() => order.push('slow'))
    await fast
    expect(order).toEqual(['slow', 'fast'])
    expect((await readLog(second)).map(({ seq }) => seq)).toEqual([1, 2])
  })

  it('takes everything back where work fails, and tells a taken key by name', async () => {
    const store = await stores.open()
    await insertRun(store)
    await expect(insertRun(store, { runId: 'r2' })).rejects.toThrow(StoreConflictError)
    await insertRun(store, { runId: 'r3', ownerId: 'o2' })
    const memory = { ownerId: 'o', id: '1', text: 'a', createdAt: 1 }
    const good = store.transaction(({ memories }) => memories.insert(memory))
    const bad = store.transaction(async ({ memories }) => {
      await memories.insert({ ...memory, id: '2' })
      throw new Error('no')
    })
    await Promise.allSettled([good, bad])
    await expect(bad).rejects.toThrow('no')
    expect(await store.read(({ memories }) => memories.list('o'))).toMatchObject([{ id: '1' }])
  })

  it('keeps any text that JSON can hold, and ids that are names of Object.prototype', async () => {
    const store = await stores.open()
    await insertRun(store)
    const text = `quote ' " \\ ? $1 \u0000 \ud800 😀 \u2028 ${'long '.repeat(10_000)}`
    await append(store, text)
    expect((await readLog(store))[0]!.event.payload).toEqual({ messageId: 'm', delta: text })
    for (const id of ['__proto__', 'constructor', "'; DROP TABLE agentRuns; --"]) {
      const row = { ownerId: 'o1', id, title: id, content: 'a\u0000b', version: 1, updatedAt: 1 }
      await store.transaction(({ documents }) => documents.insert(row))
      expect(await store.read(({ documents }) => documents.get('o1', id))).toEqual({ ...row, content: 'a\u{fffd}b' })
    }
  })

  it('reads of a log what is asked for', async () => {
    const store = await stores.open()
    await insertRun(store)
    await store.transaction((transaction) =>
      appendEvents(transaction, {
        runId: 'r1',
        drafts: [
          { type: 'message.started', payload: { messageId: 'm', role: 'assistant' } },
          ...[delta('a'), delta('b', 'other'), delta('c')],
        ],
        now: 1,
      }),
    )
    const list = (query: object) =>
      store.read(async ({ events }) =>
        (await events.list({ runId: 'r1', after: 0, ...query })).map(({ seq }) => seq),
      )
    expect(await list({})).toEqual([1, 2, 3, 4])
    expect(await list({ after: 1, limit: 2 })).toEqual([2, 3])
    expect(await list({ types: ['message.delta'], messageId: 'm' })).toEqual([2, 4])
    expect(await list({ types: [] })).toEqual([])
  })

  it('pages backwards through conversations and their messages', async () => {
    const store = await stores.open()
    await store.transaction(async ({ conversations, messages }) => {
      for (const [index, id] of ['a', 'b', 'c', 'd', 'e'].entries()) {
        await conversations.insert({ ownerId: 'o1', id, title: id, createdAt: 1, updatedAt: index >> 1 })
        const row = { ownerId: 'o1', conversationId: 'a', runId: 'r1', messageId: id, role: 'user', content: id }
        await messages.insert({ ...row, status: 'completed', createdAt: index })
      }
    })
    const seen: string[] = []
    for (let before: { updatedAt: number; id: string } | undefined; ; ) {
      const page = await store.read(({ conversations }) => conversations.list('o1', { before, limit: 2 }))
      if (page.length === 0) break
      seen.push(...page.map(({ id }) => id))
      before = page[page.length - 1]
    }
    expect(seen).toEqual(['e', 'c', 'd', 'a', 'b'])
    const last = await store.read(({ messages }) => messages.list('o1', 'a', { limit: 2 }))
    expect(last.map(({ messageId }) => messageId)).toEqual(['d', 'e'])
    const earlier = await store.read(({ messages }) =>
      messages.list('o1', 'a', { limit: 9, before: last[0]!.position }),
    )
    expect(earlier.map(({ messageId }) => messageId)).toEqual(['a', 'b', 'c'])
  })

  it('counts every write to the owner’s things, so that a reading serves again while nothing changed', async () => {
    const store = await stores.open()
    const read = () => store.read(({ users }) => users.getRevision('o1'))
    expect(await read()).toBe(0)
    await store.transaction(async ({ users, documents, memories, publications }) => {
      await users.insert('o1', 1)
      await documents.insert({ ownerId: 'o1', id: 'd', title: 't', content: '', version: 1, updatedAt: 1 })
      await memories.insert({ ownerId: 'o1', id: 'm', text: 't', createdAt: 1 })
      await publications.put({ ownerId: 'o1', documentId: 'd', title: 't', content: '', version: 1, publishedAt: 1 })
      await publications.put({ ownerId: 'o1', documentId: 'd', title: 'u', content: '', version: 2, publishedAt: 2 })
    })
    expect(await read()).toBe(4)
    expect(await store.read(({ publications }) => publications.get('o1', 'd'))).toMatchObject({ title: 'u' })
    const call = { ownerId: 'o1', name: 'n', arguments: '{}', signature: 's', attempt: 1, status: 'succeeded' as const }
    const more = { revision: 4, isExternal: false, holdUntil: null, retriedBy: null }
    await store.transaction(async ({ toolCalls }) => {
      await toolCalls.insert({ ...call, ...more, runId: 'r1', toolCallId: 'a', result: 'own', completedAt: 1 })
      await toolCalls.insert({ ...call, ...more, runId: 'r2', toolCallId: 'b', result: 'newer', completedAt: 2 })
      await toolCalls.insert({ ...call, ...more, runId: 'r2', toolCallId: 'c', result: 1, completedAt: 3, revision: 3 })
    })
    const find = (runId: string, revision = 4, ownerId = 'o1') =>
      store.read(({ toolCalls }) => toolCalls.findReusable({ ownerId, signature: 's', revision, runId }))
    expect(await find('r1')).toMatchObject({ result: 'own' })
    expect(await find('r3')).toMatchObject({ result: 'newer' })
    expect(await find('r1', 5)).toBeUndefined()
    expect(await find('r1', 4, 'o2')).toBeUndefined()
  })

  it('finds everything again when it is opened anew, by several at once', async () => {
    const first = await stores.open()
    await insertRun(first)
    await append(first, 'a')
    const others = await Promise.all(countTo(3).map(() => stores.open()))
    for (const store of others) {
      expect(await store.read(({ runs }) => runs.get('r1'))).toEqual(
        createRunRow({ lastSeq: 1, updatedAt: 2, expiresAt: 1_002 }),
      )
    }
  })

  it('keeps the last checkpoint of a run that has ended, of deltas the latest, their places as long as the log', async () => {
    const store = await stores.open()
    await insertRun(store)
    const row = { runId: 'r1', checkpoint: {}, createdAt: 1 }
    await store.transaction(async ({ checkpoints }) => {
      await checkpoints.put({ ...row, seq: 1, kind: 'run_started' })
      await checkpoints.put({ ...row, seq: 2, kind: 'assistant_delta' })
      await checkpoints.put({ ...row, seq: 3, kind: 'assistant_delta' })
      await checkpoints.put({ ...row, seq: 4, kind: 'run_finished' })
    })
    const places = (range = { after: 0, through: 9 }) =>
      store.read(async ({ checkpoints }) =>
        (await checkpoints.listPlaces({ runId: 'r1', ...range })).map(({ seq }) => seq),
      )
    const last = () => store.read(({ checkpoints }) => checkpoints.getLast('r1'))
    expect(await places()).toEqual([1, 2, 3, 4])
    expect(await places({ after: 1, through: 3 })).toEqual([2, 3])
    const compact = () => store.transaction(({ checkpoints }) => checkpoints.compact(9))
    expect(await compact()).toBe(0)
    await append(store, 'a')
    await store.transaction(({ runs }) => runs.update('r1', { status: 'completed' }))
    expect(await compact()).toBe(1)
    expect(await compact()).toBe(0)
    expect(await places()).toEqual([1, 2, 3, 4])
    expect(await last()).toEqual({ ...row, seq: 4, kind: 'run_finished' })
    const expired = (now: number) => store.read(({ runs }) => runs.listExpired(now, 9))
    // A second after its last change, as it was given.
    expect(await expired(1_001)).toEqual([])
    expect(await expired(1_002)).toMatchObject([{ runId: 'r1', lastSeq: 1 }])
    await store.transaction(async ({ runs, events }) => {
      await events.removeAll('r1')
      await runs.update('r1', { firstSeq: 2 })
    })
    expect(await readLog(store)).toEqual([])
    expect(await expired(1_002)).toEqual([])
    expect(await places()).toEqual([4])
    expect(await last()).toMatchObject({ seq: 4 })
  })
})
