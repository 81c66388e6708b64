import { JSDOM } from 'jsdom'
import type { AgentEvent, AgentMessageState } from 'redux-agent'
import { toBatches } from '../createLoadedStore.ts'
import { undisturbed } from '../measure.ts'
import type { BenchResult } from '../benchResult.ts'

const messages = 200
const batchSize = 50

/**
 * A timeline of 200 messages, and deltas into the last one, 50 a batch: what a delta costs in
 * all, from the action to the DOM. Frames come by hand, so that only work is measured and no waiting.
 */
export async function react(deltas: number): Promise<BenchResult> {
  const { runFrames, getCommits } = installBrowser()
  const { createElement } = await import('react')
  const { createRoot } = await import('react-dom/client')
  const { Provider } = await import('react-redux')
  const { configureStore } = await import('@reduxjs/toolkit')
  const { createAgentEventFactory } = await import('redux-agent')
  const { AgentTimeline, createAgentRuntime } = await import('redux-agent/react')

  const sessionId = 'conversation-1'
  const agent = createAgentRuntime({ reducerPath: 'agent' })
  const store = configureStore({
    reducer: { [agent.reducerPath]: agent.reducer },
    middleware: (getDefault) => getDefault().concat(agent.middleware),
  })
  const factory = createAgentEventFactory({ sessionId, runId: 'run-1', now: () => 1 })
  const first: AgentEvent[] = [factory.create('run.started', {})]
  for (let index = 0; index < messages; index += 1) {
    const messageId = `m${index}`
    first.push(factory.create('message.started', { messageId, role: 'assistant', content: 'Words. ' }))
    if (index < messages - 1) first.push(factory.create('message.completed', { messageId }))
  }
  store.dispatch(agent.events.eventsReceived({ sessionId, events: first }, 1))

  const renders = new Map<string, number>()
  const renderMessage = ({ id, content }: AgentMessageState) => {
    renders.set(id, (renders.get(id) ?? 0) + 1)
    return createElement('p', null, content as string)
  }
  const timeline = createElement(AgentTimeline, { agent, sessionId, renderMessage })
  createRoot(document.getElementById('root')!).render(createElement(Provider, { store, children: timeline }))
  // The first render, its effects, and what those ask for.
  for (let turn = 0; turn < 10; turn += 1) await settle(runFrames)

  let batch = 1
  /** Streams the deltas into one message; gives the time in milliseconds. */
  async function stream(messageId: string): Promise<number> {
    const batches = toBatches(
      Array.from({ length: deltas }, () => factory.create('message.delta', { messageId, delta: 'token ' })),
      batchSize,
    )
    const start = performance.now()
    for (const events of batches) {
      batch += 1
      store.dispatch(agent.events.eventsReceived({ sessionId, events }, batch))
      await settle(runFrames)
    }
    return performance.now() - start
  }

  for (let warmUp = 0; warmUp < 3; warmUp += 1) await stream(`m${messages - 1}`)
  renders.clear()
  const before = { commits: getCommits(), batch }
  const times: number[] = []
  for (let round = 0; round < 7; round += 1) times.push(await stream(`m${messages - 1}`))

  const text = document.getElementById('root')!.textContent ?? ''
  if (text.split('token').length <= deltas * 10) throw new Error('The deltas of the bench did not reach the page.')
  const ownRenders = renders.get(`m${messages - 1}`) ?? 0
  const allRenders = [...renders.values()].reduce((sum, count) => sum + count, 0)
  return {
    events: deltas,
    microseconds: (undisturbed(times) * 1000) / deltas,
    extra: {
      otherRenders: allRenders - ownRenders,
      commitsPerBatch: (getCommits() - before.commits) / (batch - before.batch),
    },
  }
}

async function settle(runFrames: () => void): Promise<void> {
  runFrames()
  // React renders an external store's change in a microtask, and its scheduler in a task.
  await new Promise<void>((resolve) => setImmediate(resolve))
}

function installBrowser() {
  const { window } = new JSDOM('<!doctype html><div id="root"></div>')
  let frames: (() => void)[] = []
  let commits = 0
  const requestAnimationFrame = (callback: () => void) => frames.push(callback)
  const hook = {
    supportsFiber: true,
    isDisabled: false,
    inject: () => 1,
    checkDCE: () => undefined,
    onCommitFiberRoot: () => (commits += 1),
    onCommitFiberUnmount: () => undefined,
    onPostCommitFiberRoot: () => undefined,
  }
  Object.assign(window, { requestAnimationFrame })
  const { document, HTMLElement, Node } = window
  const globals = { window, document, HTMLElement, Node, requestAnimationFrame, __REACT_DEVTOOLS_GLOBAL_HOOK__: hook }
  for (const [key, value] of Object.entries(globals)) {
    Object.defineProperty(globalThis, key, { value, configurable: true, writable: true })
  }
  return {
    getCommits: () => commits,
    runFrames() {
      const due = frames
      frames = []
      for (const callback of due) callback()
    },
  }
}
