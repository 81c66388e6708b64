import { mkdtempSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as fc from 'fast-check'
import { describe, expect, it, vi } from 'vitest'
import { hashBody } from '../../demo/server/runs/hashBody.ts'
import { appendEvents } from '../../demo/server/runs/appendEvents.ts'
import { endRun } from '../../demo/server/runs/endRun.ts'
import { RunEndedError } from '../../demo/server/runs/runEndedError.ts'
import { readSessionSecret } from '../../demo/server/readSessionSecret.ts'
import { createSqliteStore } from '../../demo/server/store/sqlite/createSqliteStore.ts'
import { StoreUnavailableError } from '../../demo/server/store/storeUnavailableError.ts'
import { createRunRow } from './support/createRunRow.ts'

const run = createRunRow()
const delta = (text: string, messageId = 'm') => ({
  type: 'message.delta' as const,
  payload: { messageId, delta: text },
})

describe('the store', () => {
  it('adds nothing to a run after its end', async () => {
    const store = createSqliteStore(':memory:')
    await store.transaction((transaction) => transaction.runs.insert(run))
    const append = (type: 'run.completed' | 'run.cancelled') =>
      store.transaction((transaction) =>
        appendEvents(transaction, { runId: 'r1', drafts: [{ type, payload: {} }], now: 1 }),
      )
    await append('run.completed')
    await expect(append('run.cancelled')).rejects.toThrow(RunEndedError)
    await store.close()
  })

  it('reads of a long log no more than a message that ends, or a run that does, needs', async () => {
    const store = createSqliteStore(':memory:')
    await store.transaction((transaction) => transaction.runs.insert(run))
    const append = (drafts: Parameters<typeof appendEvents>[1]['drafts']) =>
      store.transaction((transaction) => appendEvents(transaction, { runId: 'r1', drafts, now: 1 }))
    const started = (messageId: string) =>
      ({ type: 'message.started', payload: { messageId, role: 'assistant' } }) as const
    const createToolDelta = () => ({ type: 'tool.arguments_delta', payload: { toolCallId: 't', delta: '{' } }) as const
    await append([started('old'), ...Array.from({ length: 500 }, () => delta('x', 'old'))])
    await append([started('m'), delta('one '), ...Array.from({ length: 500 }, createToolDelta), delta('two')])
    const parse = vi.spyOn(JSON, 'parse')
    await append([{ type: 'message.completed', payload: { messageId: 'm' } }])
    await store.transaction((transaction) =>
      endRun(transaction, { runId: 'r1', ending: { type: 'cancelled' }, now: 1 }),
    )
    // The other message was still open, so that its text is read: once for the read model, once for the checkpoint.
    expect(parse.mock.calls.filter(([text]) => text.includes('arguments_delta'))).toEqual([])
    expect(parse.mock.calls.filter(([text]) => text.includes('"old"')).length).toBeLessThan(1_010)
    const messages = await store.transaction((transaction) => transaction.messages.list('o1', 'c1'))
    expect(messages.map(({ content, status }) => [content, status])).toEqual([
      ['x'.repeat(500), 'cancelled'],
      ['one two', 'completed'],
    ])
    await store.close()
  })

  it('finds everything again in its file', async () => {
    const inner = mkdtempSync(join(tmpdir(), 'run-server-store-'))
    try {
      const path = join(inner, 'runs.sqlite')
      const first = createSqliteStore(path)
      await first.transaction(async (transaction) => {
        await transaction.runs.insert(run)
        await appendEvents(transaction, { runId: 'r1', drafts: [delta('a')], now: 1 })
      })
      await first.close()
      const second = createSqliteStore(path)
      expect(await second.transaction((transaction) => transaction.runs.get('r1'))).toEqual({ ...run, lastSeq: 1 })
      await second.close()
      const secret = readSessionSecret(join(inner, 'secret'))
      expect(secret.length).toBeGreaterThan(40)
      expect(readSessionSecret(join(inner, 'secret'))).toBe(secret)
      expect(readdirSync(inner)).toContain('secret')
      expect(readdirSync(inner).filter((name) => name.startsWith('secret.'))).toEqual([])
    } finally {
      rmSync(inner, { recursive: true })
    }
  })

  it.each(['', 'short'])('signs nothing with a file of %j, which is no secret', (text) => {
    const inner = mkdtempSync(join(tmpdir(), 'run-server-secret-'))
    try {
      writeFileSync(join(inner, 'secret'), text)
      expect(() => readSessionSecret(join(inner, 'secret'))).toThrow(/fewer than 32 characters.*Remove it/)
    } finally {
      rmSync(inner, { recursive: true })
    }
  })

  it('names a file that is no database', () => {
    const inner = mkdtempSync(join(tmpdir(), 'run-server-store-'))
    try {
      const path = join(inner, 'runs.sqlite')
      writeFileSync(path, 'No database at all. '.repeat(100))
      expect(() => createSqliteStore(path)).toThrow(`The SQLite file ${path} cannot be opened (SQLITE_NOTADB)`)
    } finally {
      rmSync(inner, { recursive: true })
    }
  })

  it.each(['runs.sqlite', 'runs.sqlite-wal'])(
    'acknowledges nothing that nobody would find again: %s is gone, and then back',
    async (name) => {
      const inner = mkdtempSync(join(tmpdir(), 'run-server-store-'))
      const store = createSqliteStore(join(inner, 'runs.sqlite'))
      try {
        await store.transaction((transaction) => transaction.runs.insert(run))
        renameSync(join(inner, name), join(inner, 'away'))
        const other = { ...run, runId: 'r2', conversationId: 'c2' }
        const insert = () => store.transaction((transaction) => transaction.runs.insert(other))
        await expect(insert()).rejects.toThrow(StoreUnavailableError)
        await expect(store.read(({ runs }) => runs.get('r1'))).rejects.toThrow(StoreUnavailableError)
        writeFileSync(join(inner, name), '')
        await expect(insert()).rejects.toThrow(StoreUnavailableError)
        renameSync(join(inner, 'away'), join(inner, name))
        await insert()
        expect(await store.read(({ runs }) => runs.get('r2'))).toMatchObject({ runId: 'r2' })
      } finally {
        await store.close()
        rmSync(inner, { recursive: true })
      }
    },
  )
})

describe('the hash of a body', () => {
  it('is the same exactly for equal JSON, in whatever order its keys stand', () => {
    const turn = (value: unknown): unknown => {
      if (Array.isArray(value)) return value.map(turn)
      if (typeof value !== 'object' || value === null) return value
      return Object.fromEntries(Object.entries(value).reverse().map(([key, entry]) => [key, turn(entry)]))
    }
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), (one, other) => {
        const plain = JSON.parse(JSON.stringify(one)) as unknown
        expect(hashBody(turn(plain))).toBe(hashBody(plain))
        if (JSON.stringify(sortKeys(one)) !== JSON.stringify(sortKeys(other))) {
          expect(hashBody(one)).not.toBe(hashBody(other))
        }
      }),
    )
  })
})

function sortKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortKeys)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1))
  return entries.map(([key, entry]) => [key, sortKeys(entry)]).concat([['object']])
}
