import { configureStore } from '@reduxjs/toolkit'
import {
  createAgentRuntime,
  createWebStorageAgentCheckpointStorage,
  replayAgentEvents,
  selectRunningRuns,
  type AnyAgentProvider,
} from 'redux-agent'
import { createFakeEnvironment, endOfTask } from '../createHarness.ts'
import { createModelServer, type Block } from '../createModelServer.ts'
import { createBrowser } from './createBrowser.ts'

/** Two tabs of one browser on the run of one server, and all that a person and the host can do with them. */
export function createTabModel(
  blocks: readonly Block[],
  options: { tabCount?: number; hasExclusion?: boolean; spoil?: (provider: AnyAgentProvider) => AnyAgentProvider } = {},
) {
  const { tabCount = 2, hasExclusion = true, spoil = (provider) => provider } = options
  const browser = createBrowser({ byHand: true, hasExclusion })
  const server = createModelServer(blocks)
  const texts = new Map<string, string>()
  /** What was asked of the server to open a wire: from the start, or after which event. */
  const opens: { tab: number; from: 'start' | number }[] = []
  let opened = 0
  let intents = 0
  let lateStarts = 0

  const createStorage = () =>
    createWebStorageAgentCheckpointStorage({
      getItem: (key) => texts.get(key) ?? null,
      setItem: (key, text) => void texts.set(key, text),
      removeItem: (key) => void texts.delete(key),
    })

  /** A tab's own provider: its wires end with the tab. */
  function providerOf(index: number, gone: AbortSignal): AnyAgentProvider {
    const { provider } = server
    const until = (signal: AbortSignal) => AbortSignal.any([signal, gone])
    return {
      ...provider,
      transport: {
        ...provider.transport,
        open(request: undefined, signal: AbortSignal) {
          const page = pages[index]
          if (page && stateOf(page).lastSequenceByRun.r1 !== undefined) lateStarts += 1
          opens.push({ tab: index, from: 'start' })
          return provider.transport.open(request, until(signal))
        },
        resume(request: undefined, cursor: string, signal: AbortSignal) {
          opens.push({ tab: index, from: Number(cursor) })
          return provider.transport.resume!(request, cursor, until(signal))
        },
      },
      executeCommand: (command, options) =>
        provider.executeCommand!(command, { ...options, signal: until(options.signal) }),
    }
  }

  function openPage(index: number) {
    opened += 1
    const gone = new AbortController()
    const tab = browser.createTab()
    const fake = createFakeEnvironment({ ids: [`tab${opened}`, 'r1'] })
    const agent = createAgentRuntime({
      providers: [spoil(providerOf(index, gone.signal))],
      environment: { ...fake.environment, ...tab.environment, now: () => (fake.advance(1), fake.environment.now!()) },
      checkpointStorage: createStorage(),
      reconnect: { maxAttempts: 1000 },
    })
    const store = configureStore({
      reducer: { agent: agent.reducer },
      middleware: (getDefault) =>
        getDefault({ serializableCheck: false, immutableCheck: false }).concat(agent.middleware),
      devTools: false,
    })
    store.dispatch(agent.actions.openSession({ sessionId: 's1', provider: 'model' })).catch(() => undefined)
    return { ...fake, tab, gone, agent, store }
  }

  type Page = ReturnType<typeof openPage>
  const pages: (Page | undefined)[] = Array.from({ length: tabCount })

  const isThere = (page: Page | undefined): page is Page => page !== undefined && !page.tab.isFrozen()
  const stateOf = ({ agent, store }: Page) => agent.selectors.selectAgentState(store.getState(), 's1')
  const sessionOf = ({ agent, store }: Page) =>
    agent.selectors.selectConnectionState(store.getState(), { sessionId: 's1' })

  const commandsOf = ({ agent, store }: Page) =>
    Object.values(agent.selectors.selectCommandStates(store.getState(), 's1'))

  function leave(index: number, way: 'close' | 'kill') {
    const page = pages[index]
    if (!page) return
    if (page.tab.isFrozen()) page.tab.kill()
    else page.tab[way]()
    page.gone.abort()
    pages[index] = undefined
  }

  /** What a person does in a tab that they look at. */
  function act(index: number, what: 'decide' | 'cancel' | 'abort' | 'resume' | 'start') {
    const page = pages[index]
    if (!isThere(page)) return
    const { agent, store } = page
    const state = stateOf(page)
    const ignore = (task: { unwrap(): Promise<unknown> }) => void task.unwrap().catch(() => undefined)
    if (what === 'start') {
      // One run: the model server has no other.
      if (opens.length > 0 || texts.size > 0 || Object.keys(state.runs).length > 0) return
      if (pages.some((other) => other && sessionOf(other) === 'connecting')) return
      return ignore(store.dispatch(agent.actions.startRun({ sessionId: 's1', provider: 'model', input: {} })))
    }
    if (what === 'abort') return store.dispatch(agent.actions.abortRun({ sessionId: 's1' }))
    if (what === 'resume') return ignore(store.dispatch(agent.actions.resumeRun({ runId: 'r1' })))
    if (selectRunningRuns(state, 's1').length === 0) return
    intents += 1
    if (what === 'cancel') return ignore(store.dispatch(agent.actions.cancelRun({ runId: 'r1' })))
    const approval = Object.values(state.approvals).find(({ status }) => status === 'waiting')
    if (approval) {
      const decision = { runId: 'r1', approvalId: approval.id, decision: 'approved' } as const
      return ignore(store.dispatch(agent.actions.resolveApproval(decision)))
    }
    const tool = Object.values(state.toolCalls).find(({ status }) => status === 'failed')
    if (tool) ignore(store.dispatch(agent.actions.retryTool({ runId: 'r1', toolCallId: tool.id })))
  }

  async function rest() {
    await endOfTask()
    for (const page of pages) if (isThere(page)) page.fireFrame()
    await endOfTask()
  }

  return {
    browser,
    server,
    opens,
    pages,
    texts,
    act,
    leave,
    rest,
    stateOf,
    sessionOf,
    commandsOf,
    intents: () => intents,
    open(index: number) {
      pages[index] ??= openPage(index)
    },
    freeze: (index: number) => isThere(pages[index]) && pages[index]!.tab.freeze(),
    hang: (index: number) => pages[index]?.tab.hang(),
    thaw: (index: number) => pages[index]?.tab.isFrozen() && pages[index]!.tab.thaw(),
    wake: (index: number) => isThere(pages[index]) && pages[index]!.wake(),
    fireTimers: (index: number) => isThere(pages[index]) && pages[index]!.fireAllTimers(),
    /** Says to all tabs what a later version, or another script of the origin, might say. */
    babble() {
      const name = 'redux-agent:2:agent:session:s1'
      const last = browser.log.at(-1)?.data as object | undefined
      browser.inject(name, { ...last, version: 3, more: [] })
      browser.inject(name, { ...last, kind: 'merged' })
      browser.inject(name, { kind: 'owned', from: 'nobody', epoch: Number.MAX_VALUE })
      browser.inject(name, null)
    },
    /** How often a run was asked for from the start by a tab that had something of it. */
    lateStarts: () => lateStarts,
    /** Lets all be opened, thawed, answered and delivered, until every tab has all of the run. */
    async settle() {
      for (let turns = 0; turns < 400; turns += 1) {
        for (let index = 0; index < tabCount; index += 1) {
          if (pages[index]?.tab.isFrozen()) pages[index]!.tab.thaw()
          pages[index] ??= openPage(index)
        }
        browser.deliverAll()
        await rest()
        while (server.answer());
        if (server.log.length > 0) server.decideElsewhere('approved')
        server.advance()
        server.deliver(1000)
        await rest()
        browser.deliverAll()
        await rest()
        if (turns % 3 === 2) for (const page of pages) page!.fireTimers(1000)
        if (turns % 7 === 6) for (const page of pages) page!.fireAllTimers()
        // What a person let go of, or nobody can take up by itself, is continued by hand.
        const idle = pages.every((page) => ['idle', 'unrecoverable', 'failed'].includes(sessionOf(page!)))
        if (turns % 5 === 4 && idle) act(turns % tabCount, opens.length === 0 ? 'start' : 'resume')
        const isDone = server.isOver() && pages.every((page) => stateOf(page!).runs.r1?.status === server.outcome())
        if (isDone && turns > 20) return true
      }
      return false
    },
    replayed: () => replayAgentEvents(server.log),
  }
}
