import { configureStore } from '@reduxjs/toolkit'
import { createAgentRuntime, type AgentState } from 'redux-agent'
import { createRunServerProvider } from 'redux-agent/adapters/run-server'
import type { TestBrowser } from '../support/createBrowser.ts'
import type { TestNode } from './createNode.ts'
import type { Watch } from './createWatch.ts'
import type { FaultRun } from './faultHistory.ts'

type RunPlace = Pick<FaultRun, 'runId' | 'conversationId'>

/** A page with a store at one node, which drives some runs and follows the others. */
export interface StoreClient {
  readonly name: string
  /** Starts a run, and stays with it whatever happens to its wire. */
  start(run: RunPlace & { prompt: string }): void
  follow(run: RunPlace): void
  stateOf(conversationId: string): AgentState
  isOver(run: RunPlace): boolean
  /** Decides by the store, until it is known what became of that. */
  decide(options: { runId: string; approvalId: string; decision: 'approved' | 'rejected' }): Promise<void>
  /** How its wire of a run stands, for whoever looks for a fault. */
  describe(runId: string): string
}

/** Makes such a page, with the library's own adapter and its own way to take a lost wire up again. */
export function createStoreClient(options: { node: TestNode; browser: TestBrowser; watch: Watch }): StoreClient {
  const { node, browser, watch } = options
  const provider = createRunServerProvider({
    baseUrl: node.url,
    fetch: (input, init) => browser.send(String(input).slice(node.url.length), init),
  })
  const agent = createAgentRuntime({
    providers: [provider],
    commandTimeout: 60_000,
    // No fault lasts here, and nobody is there to press a button.
    reconnect: { maxAttempts: 100_000, initialDelay: 20, maxDelay: 200 },
    environment: { requestFrame: undefined },
  })
  const store = configureStore({
    reducer: { agent: agent.reducer },
    middleware: (getDefault) =>
      getDefault({ serializableCheck: false, immutableCheck: false }).concat(agent.middleware),
    devTools: false,
  })
  store.subscribe(watch.changed)
  const { actions, selectors } = agent
  const stateOf = (conversationId: string) => selectors.selectAgentState(store.getState(), conversationId)
  return {
    name: `the store at ${node.name}`,
    start({ runId, conversationId: sessionId, prompt: message }) {
      const request = { runId, sessionId, provider: 'run-server', input: { message } }
      store.dispatch(actions.startRun(request)).unwrap().catch(watch.fail)
    },
    follow({ runId, conversationId: sessionId }) {
      store.dispatch(actions.followRun({ runId, sessionId, provider: 'run-server' }))
    },
    stateOf,
    isOver({ runId, conversationId }) {
      const status = stateOf(conversationId).runs[runId]?.status
      return status === 'completed' || status === 'failed' || status === 'cancelled'
    },
    async decide(decision) {
      for (;;) {
        const error = await store
          .dispatch(actions.resolveApproval(decision))
          .unwrap()
          .then(
            () => undefined,
            (cause: unknown) => cause as { retryable?: boolean },
          )
        if (error?.retryable !== true) return
        watch.signal.throwIfAborted()
      }
    },
    describe: (runId) => JSON.stringify(selectors.selectRunConnection(store.getState(), runId)),
  }
}
