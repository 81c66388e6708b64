import { configureStore } from '@reduxjs/toolkit'
import { createAgentRuntime, replayAgentEvents, type AgentCommand, type AgentEvent } from 'redux-agent'
import { createRunServerProvider } from 'redux-agent/adapters/run-server'
import type { TestBrowser } from './createBrowser.ts'

/** What becomes of a command's request: `send` lets it through, as often as it is called. */
export type CommandRoute = (
  send: () => Promise<Response>,
  request: { command: AgentCommand; signal: AbortSignal },
) => Promise<Response>

/** A tab of a browser with a store whose runs are the run server's; commands go as `route` says. */
export function createStoreTab(options: { url: string; browser: TestBrowser; route?: CommandRoute }) {
  const { url, browser, route = (send) => send() } = options
  const timers = new Set<{ callback: () => void; delay: number }>()
  const commands: AgentCommand[] = []
  const provider = createRunServerProvider({
    baseUrl: url,
    async fetch(input, init) {
      const path = String(input).slice(url.length)
      if (path !== '/api/agent/commands') return browser.send(path, init)
      const command = JSON.parse(init!.body as string) as AgentCommand
      commands.push(command)
      return route(() => browser.send(path, init), { command, signal: init!.signal! })
    },
  })
  const agent = createAgentRuntime({
    providers: [provider],
    environment: {
      // Waits end when the test says so, frames at once.
      setTimer(callback, delay) {
        const timer = { callback, delay }
        timers.add(timer)
        return () => void timers.delete(timer)
      },
      requestFrame(callback) {
        const frame = setImmediate(callback)
        return () => clearImmediate(frame)
      },
    },
  })
  const store = configureStore({
    reducer: { agent: agent.reducer },
    middleware: (getDefault) => getDefault().concat(agent.middleware),
    devTools: false,
  })
  const { selectors, actions } = agent
  const state = () => selectors.selectAgentState(store.getState(), 'c1')
  /** Settles once the store shows what is waited for. */
  const when = (isSo: () => boolean) =>
    new Promise<void>((resolve) => {
      const check = () => isSo() && (unsubscribe(), resolve())
      const unsubscribe = store.subscribe(check)
      check()
    })
  const waiting = () => Object.values(state().approvals).find(({ status }) => status === 'waiting')

  return {
    actions,
    state,
    when,
    /** The commands that went out, in order. */
    commands,
    dispatch: store.dispatch,
    commandStates: () => Object.values(selectors.selectCommandStates(store.getState(), 'c1')),
    start: (message: string) =>
      store.dispatch(actions.startRun({ sessionId: 'c1', provider: 'run-server', input: { message } })),
    /** Settles with the approval that waits. */
    async whenAsked() {
      await when(() => waiting() !== undefined)
      return waiting()!
    },
    fireTimers(delay: number) {
      for (const timer of [...timers]) if (timer.delay === delay && timers.delete(timer)) timer.callback()
    },
    /** The server's own log. */
    async log(runId: string): Promise<AgentEvent[]> {
      const path = `/api/agent/runs/${runId}/events?limit=1000`
      const { body } = await browser.request<{ events: { event: AgentEvent }[] }>('GET', path)
      return body.events.map(({ event }) => event)
    },
    async replayed(runId: string) {
      return replayAgentEvents(await this.log(runId))
    },
  }
}
