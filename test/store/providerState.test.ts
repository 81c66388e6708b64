import { replayAgentEvents, type AgentCommandOptions, type AgentProviderContextOptions, type AgentState } from 'redux-agent'
import { createScriptedProvider } from 'redux-agent/testing'
import { describe, expect, it } from 'vitest'
import { createCommandRun, grant } from './createCommandRun.ts'
import { createHarness, endOfTask, expectSilentConsole } from './createHarness.ts'

expectSilentConsole()

describe('the state that a provider reads', () => {
  it('is its session’s, with what came before this run', async () => {
    const seen: AgentState[] = []
    const provider = createScriptedProvider<string>({
      steps: (input) => [
        {
          events: (events) => [
            events.create('run.started', {}),
            events.create('message.started', { messageId: 'm', role: 'assistant', content: input }),
            events.create('run.completed', {}),
          ],
        },
      ],
    })
    const { createContext } = provider
    provider.createContext = (options: AgentProviderContextOptions) => {
      seen.push(options.getAgentState!())
      return createContext(options)
    }
    const { store, agent } = createHarness({ providers: [provider], ids: ['r1', 'r2', 'r3'] })
    const start = (sessionId: string, input: string) =>
      store.dispatch(agent.actions.startRun({ sessionId, provider: 'scripted', input })).unwrap()
    await start('s1', 'one')
    await start('s2', 'other')
    await start('s1', 'two')
    expect(seen.map(({ messages }) => Object.values(messages).map(({ content }) => content))).toEqual([[], [], ['one']])
  })

  it('holds all that came before a command, also what waits for its batch', async () => {
    let seen: AgentState | undefined
    const run = await createCommandRun({ answers: { 'approval.resolve': [] } })
    const granted = grant(run.run)
    Object.assign(run.provider, {
      async *executeCommand(_command: unknown, { getAgentState }: AgentCommandOptions) {
        yield granted
        seen = getAgentState!()
      },
    })
    await run.approve().unwrap()
    await endOfTask()
    expect(seen).toEqual(replayAgentEvents([...run.opening, granted]))
  })
})
