import { runAgentProvider, type AgentEvent, type AgentProvider } from 'redux-agent'
import { validateAgentProviderEvents } from 'redux-agent/testing'
import { describe, expect, it } from 'vitest'
import { loadCodeBlock } from './loadCodeBlock.ts'

interface Example {
  echoProvider: AgentProvider<string, string, string>
}

describe('the provider of the README', () => {
  it('runs as it stands there and keeps the contract', async () => {
    const { echoProvider: provider } = await loadCodeBlock<Example>('README.md', 'echoProvider.ts')
    const events: AgentEvent[] = []
    await runAgentProvider({
      provider,
      input: 'Hello there',
      run: { sessionId: 'c1', runId: 'r1' },
      onEvent: (event) => events.push(event),
    })
    const text = events.map((event) => (event.type === 'message.delta' ? event.payload.delta : '')).join('')
    expect(text).toBe('You said: Hello there')
    expect(validateAgentProviderEvents(provider.capabilities, events)).toEqual([])
  })
})
