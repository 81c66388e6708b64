import {
  createWebStorageAgentCheckpointStorage,
  replayAgentEvents,
  type AgentCheckpoint,
  type AgentCheckpointStorage,
} from 'redux-agent'
import { createFakeRunServer, encodeLog } from './createFakeRunServer.ts'
import { createHangingFetch, createPage } from './createPage.ts'
import { createRecordedRun } from './createRecordedRun.ts'

/** A recorded run of two steps, which the pages of these tests have. */
export const log = createRecordedRun({ steps: 2 })
export const encoded = encodeLog(log)
export const replayed = replayAgentEvents(log)

/** A storage in memory that counts, hangs and fails as it is told. */
export function createStorage() {
  const texts = new Map<string, string>()
  const inner = createWebStorageAgentCheckpointStorage({
    getItem: (key) => texts.get(key) ?? null,
    setItem(key, text) {
      if (storage.saveFault) throw storage.saveFault
      texts.set(key, text)
    },
    removeItem: (key) => void texts.delete(key),
  })
  const saved: AgentCheckpoint[] = []
  const storage = {
    ...inner,
    texts,
    saved,
    saveFault: undefined as unknown,
    gate: undefined as Promise<unknown> | undefined,
    async load(sessionId: string) {
      await storage.gate
      return inner.load(sessionId)
    },
    save(checkpoint: AgentCheckpoint) {
      saved.push(checkpoint)
      return inner.save(checkpoint)
    },
  }
  return storage
}

/** A page that has a run of so many events, the last of which is all that its stream brings. */
export async function openPage(options: { storage: AgentCheckpointStorage; events: number; ids?: string[] }) {
  const { storage, events, ids } = options
  const server = createFakeRunServer(encoded)
  const fetch = createHangingFetch(server.fetch, (index) => (index === 0 ? encoded.offsetOf(0, events + 1) : undefined))
  const page = createPage({ fetch, storage, ...(ids && { ids }) })
  await page.open().unwrap()
  void page.start()
  await page.rest(8)
  return { page, server, fetch }
}

/** A page after that one. */
export const reopen = (storage: AgentCheckpointStorage, fetch: typeof globalThis.fetch, ids = ['r2']) =>
  createPage({ fetch, storage, ids })
