import { JSDOM } from 'jsdom'
import type { ReactElement } from 'react'
import { createAgentEventFactory, getAgentEntityKey, type AgentEvent, type AgentMessageState } from 'redux-agent'
import { createLoadedStore, toBatches } from '../createLoadedStore.ts'
import { createSliceStore } from '../createSliceStore.ts'
import { ageHeap } from '../ageHeap.ts'
import { undisturbed } from '../undisturbed.ts'
import type { BenchResult } from '../benchResult.ts'

const messages = 200
const batchSize = 50
const sessionId = 'conversation-1'
const runId = 'run-1'

/**
 * A timeline of 200 messages, and deltas into the last one, 50 a batch: what a delta costs in all, from the action to
 * the DOM; or the same in a plain list of what `createSlice` makes of them. Each round has a page of its own, as the
 * text of ten rounds in one message would be copied whole by each batch.
 */
export async function react(options: { deltas: number; isPlain?: boolean }): Promise<BenchResult> {
  const { deltas, isPlain = false } = options
  const browser = installBrowser()
  const pages = await createPages()
  const createPage = isPlain ? pages.plain : pages.own
  const rounds: Round[] = []
  for (let round = -5; round < 40; round += 1) {
    const result = await streamInto({ browser, createPage, deltas })
    if (round >= 0) rounds.push(result)
  }
  const sum = (of: (round: Round) => number) => rounds.reduce((total, round) => total + of(round), 0)
  return {
    events: deltas,
    microseconds: (undisturbed(rounds.map(({ spent }) => spent)) * 1000) / deltas,
    extra: {
      otherRenders: sum(({ otherRenders }) => otherRenders),
      commitsPerBatch: sum(({ commits }) => commits) / Math.ceil(deltas / batchSize) / rounds.length,
    },
  }
}

interface Round {
  /** Milliseconds. */
  spent: number
  commits: number
  otherRenders: number
}

/** A page that shows messages: how it gets events, and what it shows; `onRender` is told each message that renders. */
type CreatePage = (onRender: (messageId: string) => void) => {
  receive: (events: readonly AgentEvent[]) => unknown
  element: ReactElement
}

async function streamInto(options: {
  browser: ReturnType<typeof installBrowser>
  createPage: CreatePage
  deltas: number
}): Promise<Round> {
  const { browser, createPage, deltas } = options
  const { createRoot } = await import('react-dom/client')
  const factory = createAgentEventFactory({ sessionId, runId, now: () => 1 })
  const last = `m${messages - 1}`
  const first: AgentEvent[] = [factory.create('run.started', {})]
  for (let index = 0; index < messages; index += 1) {
    const messageId = `m${index}`
    first.push(factory.create('message.started', { messageId, role: 'assistant' }))
    if (messageId !== last) first.push(factory.create('message.completed', { messageId }))
  }
  let otherRenders = 0
  const { receive, element } = createPage((messageId) => {
    if (messageId !== last) otherRenders += 1
  })
  receive(first)
  const place = document.createElement('div')
  document.body.append(place)
  const root = createRoot(place)
  root.render(element)
  // The first render, its effects, and what those ask for.
  for (let turn = 0; turn < 10; turn += 1) await settle(browser.runFrames)

  const batches = toBatches(
    Array.from({ length: deltas }, () => factory.create('message.delta', { messageId: last, delta: 'token ' })),
    batchSize,
  )
  otherRenders = 0
  ageHeap()
  const commits = browser.getCommits()
  const start = performance.now()
  for (const events of batches) {
    receive(events)
    await settle(browser.runFrames)
  }
  const round = { spent: performance.now() - start, commits: browser.getCommits() - commits, otherRenders }
  if (place.textContent.split('token').length !== deltas + 1) {
    throw new Error('The deltas of the bench did not reach the page.')
  }
  root.unmount()
  place.remove()
  return round
}

/** React looks for its browser when it is loaded, hence the imports here. */
async function createPages(): Promise<{ own: CreatePage; plain: CreatePage }> {
  const { createElement, memo } = await import('react')
  const { Provider, useSelector } = await import('react-redux')
  const { AgentTimeline, createAgentRuntime } = await import('redux-agent/react')

  return {
    own(onRender) {
      const agent = createAgentRuntime({ reducerPath: 'agent' })
      const { store, receive } = createLoadedStore({ agent })
      const renderMessage = ({ id, content }: AgentMessageState) => {
        onRender(id)
        return createElement('p', null, content as string)
      }
      const timeline = createElement(AgentTimeline, { agent, sessionId, renderMessage })
      return { receive, element: createElement(Provider, { store, children: timeline }) }
    },
    plain(onRender) {
      const { store, receive } = createSliceStore()
      type State = ReturnType<typeof store.getState>
      const Message = memo(({ id }: { id: string }) => {
        onRender(id)
        const key = getAgentEntityKey(runId, id)
        return createElement('p', null, useSelector(({ fold }: State) => fold.message[key]!.content))
      })
      const List = () =>
        useSelector(({ fold }: State) => fold.order).map(({ id }) => createElement(Message, { id, key: id }))
      return { receive, element: createElement(Provider, { store, children: createElement(List) }) }
    },
  }
}

async function settle(runFrames: () => void): Promise<void> {
  runFrames()
  // React renders an external store's change in a microtask, and its scheduler in a task.
  await new Promise<void>((resolve) => setImmediate(resolve))
}

function installBrowser() {
  const { window } = new JSDOM('<!doctype html><body></body>')
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
