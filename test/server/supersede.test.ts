import { afterEach, expect, it } from 'vitest'
import { appendEvents } from '../../demo/server/runs/appendEvents.ts'
import { createSqliteStore } from '../../demo/server/store/sqlite/createSqliteStore.ts'
import type { RunServerStore } from '../../demo/server/store/runServerStore.ts'
import { createGate, createScriptedModel, finish, say } from './support/createScriptedModel.ts'
import { expectSoundLog } from './support/expectSoundLog.ts'
import { eventsOf, readAll, readUntil } from './support/readFrames.ts'
import { startTestServer, type TestServer } from './support/startTestServer.ts'

let server: TestServer | undefined
afterEach(async () => {
  await server?.close()
  server = undefined
})

/** A store in which the run that keeps a thread busy ends just after it was found, as it may where others write too. */
function endWhatIsFound(store: RunServerStore): RunServerStore {
  return {
    ...store,
    transaction: (work) =>
      store.transaction((transaction) =>
        work({
          ...transaction,
          runs: {
            ...transaction.runs,
            async findUnfinished(ownerId, conversationId) {
              const found = await transaction.runs.findUnfinished(ownerId, conversationId)
              const drafts = [{ type: 'run.completed', payload: {} }] as const
              if (found !== undefined) await appendEvents(transaction, { runId: found.runId, drafts, now: 1 })
              return found
            },
          },
        }),
      ),
  }
}

it.each([true, false])('a run that ends while the next one is started holds it up no more, supersede being %s', async (supersede) => {
  const model = createScriptedModel([[say('Hm'), createGate().opened], [say('Yes'), ...finish('stop')]])
  server = await startTestServer({ model, store: endWhatIsFound(createSqliteStore(':memory:')) })
  const browser = server.createBrowser()
  const first = await browser.start('Go')
  await readUntil(first.frames, 'message.delta')
  const second = await browser.start('Next', { supersede })
  const log = await readAll(second.frames)
  expectSoundLog(log, second.runId)
  expect(eventsOf(log).at(-1)).toMatchObject({ type: 'run.completed' })
  expect(await browser.request('GET', `/api/agent/runs/${first.runId}`)).toMatchObject({ body: { status: 'completed' } })
})
