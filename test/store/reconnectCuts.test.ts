import { isDeepStrictEqual } from 'node:util'
import { replayAgentEvents } from 'redux-agent'
import type { FetchFaults } from 'redux-agent/testing'
import { describe, expect, it } from 'vitest'
import { createFakeRunServer, encodeLog } from './createFakeRunServer.ts'
import { createReconnectRun } from './createReconnectRun.ts'
import { createRecordedRun } from './createRecordedRun.ts'

const log = createRecordedRun()
const replayed = replayAgentEvents(log)
const encoded = encodeLog(log)
const { offsetOf, sizeOf } = encoded
const start = {
  kind: 'start',
  runId: 'r1',
  body: JSON.stringify({
    runId: 'r1',
    assistantMessageId: 'm1',
    conversationId: 's1',
    messages: [{ role: 'user', content: 'Go' }],
  }),
}
const resume = (after: number) => (after === 0 ? start : { kind: 'resume', runId: 'r1', after })

/** Runs against answers that are cut as planned, the last one whole, and checks all that the law of a cut says. */
async function expectWhole(faults: readonly FetchFaults[], requests: readonly unknown[]) {
  const server = createFakeRunServer(encoded)
  const run = createReconnectRun({ log, server, plan: (index) => faults[index] ?? {} })
  const task = run.start()
  await run.settle(task)
  await task.unwrap()
  expect(server.requests).toEqual(requests)
  expect(run.transformed).toEqual([])
  expect(run.connection()).toMatchObject({ state: 'idle', detached: false })
  // Thousands of states: the matcher, which is slow, is for one that differs, to tell where.
  if (!isDeepStrictEqual(run.state(), replayed)) expect(run.state()).toEqual(replayed)
}

// Thousands of runs: a busy machine may need its time for them.
describe('a recorded run, cut anywhere', { timeout: 600_000 }, () => {
  it('is long, and has text, tools and approvals', () => {
    expect(log.length).toBeGreaterThan(500)
    expect(replayed.issues).toEqual([])
    for (const records of [replayed.messages, replayed.toolCalls, replayed.approvals, replayed.reasoning]) {
      expect(Object.keys(records).length).toBeGreaterThanOrEqual(12)
    }
  })

  it('ends as the plain replay after a cut at any boundary, having sent the resume alone', async () => {
    for (let after = 0; after < log.length; after += 1) {
      const cutAfterBytes = offsetOf(0, after + 1)
      await expectWhole([{ cutAfterBytes, endSilently: after % 2 === 1 }], [start, resume(after)])
    }
  })

  it('ends as the plain replay after cuts at the same byte of ten of its frames, for every byte', async () => {
    const sequences = [1, 2, 3, 20, 47, 130, 222, 333, 470, log.length]
    const longest = Math.max(...sequences.map(sizeOf))
    for (let byte = 0; byte < longest; byte += 1) {
      const faults: FetchFaults[] = []
      const requests: unknown[] = [start]
      let after = 0
      for (const sequence of sequences) {
        const into = Math.min(byte, sizeOf(sequence) - 1)
        faults.push({ cutAfterBytes: offsetOf(after, sequence) + into, endSilently: byte % 2 === 1 })
        after = sequence - 1
        requests.push(resume(after))
      }
      await expectWhole(faults, requests)
    }
  })

  it('ends as the plain replay after a cut at any byte before its first event, by the same request', async () => {
    for (let byte = 0; byte < offsetOf(0, 1); byte += 1) {
      await expectWhole([{ cutAfterBytes: byte }, { cutAfterBytes: byte }], [start, start, start])
    }
  })

  it('ends as the plain replay where every piece is a byte', async () => {
    await expectWhole([{ pieceSize: 1, cutAfterBytes: offsetOf(0, 60) }, { pieceSize: 7 }], [start, resume(59)])
  })
})
