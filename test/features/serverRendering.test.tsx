import { act, cleanup } from '@testing-library/react'
import { StrictMode, type ReactNode } from 'react'
import { hydrateRoot } from 'react-dom/client'
import { renderToString } from 'react-dom/server'
import { Provider } from 'react-redux'
import { AgentTimeline, Approval, ConnectionBadge, ToolCall } from 'redux-agent/react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createHarness } from './support/createHarness.tsx'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => {
  cleanup()
  document.body.replaceChildren()
  vi.useRealTimers()
})

type Harness = ReturnType<typeof createHarness>

const createApp = (agent: Harness['agent']) =>
  function App({ runId }: { runId: string }) {
    const chat = agent.useXChat({ provider: 'scripted', conversationKey: 's1' })
    const own = agent.useXChat({ provider: 'scripted' })
    const named = agent.useXChat({ provider: 'scripted', conversationKey: Symbol.for('test') })
    return (
      <main>
        {/* Even who writes the ids into the page is safe. */}
        <p title={`${own.sessionId} ${named.sessionId}`}>{chat.messages.length}</p>
        <AgentTimeline agent={agent} sessionId="s1" />
        <ToolCall agent={agent} runId={runId} toolCallId="t" />
        <Approval agent={agent} runId={runId} approvalId="p" />
        <ConnectionBadge agent={agent} sessionId="s1" />
      </main>
    )
  }

async function request(harness: Harness, text: string) {
  const wire = await harness.start()
  wire.sendAll((create) => [
    create('message.started', { messageId: 'm', role: 'assistant', content: text }),
    create('tool.requested', { toolCallId: 't', name: 'search', arguments: '{"q":1}' }),
    create('approval.requested', { approvalId: 'p', data: { a: 1 }, expiresAt: Date.now() + 60_000 }),
  ])
  await harness.settle()
  return wire
}

async function hydrate(html: string, tree: ReactNode) {
  const container = document.createElement('div')
  container.innerHTML = html
  document.body.append(container)
  const complaints: unknown[] = []
  const error = vi.spyOn(console, 'error').mockImplementation((...words) => void complaints.push(words))
  await act(async () => {
    hydrateRoot(container, tree, { onRecoverableError: (reason) => complaints.push(reason) })
    await vi.advanceTimersByTimeAsync(60)
  })
  error.mockRestore()
  return { container, complaints }
}

describe('server rendering', () => {
  it('renders a running session, and hydrates it without a warning', async () => {
    const server = createHarness()
    const App = createApp(server.agent)
    const { runId } = await request(server, 'From the server')
    const tree = (store: Harness['store'], serverState?: object) => (
      <StrictMode>
        <Provider store={store} serverState={serverState as never}>
          <App runId={runId} />
        </Provider>
      </StrictMode>
    )
    const html = renderToString(tree(server.store))
    expect(html).toContain('From the server')
    expect(html).not.toContain('role="timer"')

    const sent = JSON.parse(JSON.stringify(server.store.getState())) as ReturnType<typeof server.store.getState>
    const store = server.createStore(sent)
    const { container, complaints } = await hydrate(html, tree(store, sent))
    expect(complaints).toEqual([])
    expect(container.textContent).toContain('From the server')
    expect(container.querySelector('[role=timer]')!.textContent).toContain('Expires in')
  })

  it('hydrates from what the server sent, also where the store has moved on', async () => {
    const server = createHarness()
    const App = createApp(server.agent)
    const { runId } = await request(server, 'Early')
    const sent = JSON.parse(JSON.stringify(server.store.getState())) as ReturnType<typeof server.store.getState>
    const tree = (store: Harness['store'], serverState?: object) => (
      <Provider store={store} serverState={serverState as never}>
        <App runId={runId} />
      </Provider>
    )
    const html = renderToString(tree(server.store))
    server.scripted.wires[0]!.send('message.delta', { messageId: 'm', delta: ' and late' })
    await server.settle()
    const { container, complaints } = await hydrate(html, tree(server.store, sent))
    expect(complaints).toEqual([])
    expect(container.textContent).toContain('Early and late')
  })

  it('keeps the stores of two requests apart, though they share one runtime', async () => {
    const harness = createHarness()
    const App = createApp(harness.agent)
    await request(harness, 'Private')
    const other = harness.createStore()
    const html = renderToString(
      <Provider store={other}>
        <App runId={harness.scripted.wires[0]!.runId} />
      </Provider>,
    )
    expect(html).not.toContain('Private')
    expect(html).toContain('Nothing has happened yet.')
  })
})
