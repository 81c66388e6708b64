import {
  createAgentStore,
  createInitialAgentState,
  runAgentCommand,
  runAgentProvider,
  type AgentCommand,
  type AgentEvent,
} from 'redux-agent'
import { createAiSdkProvider, toUIMessages, type AiSdkInput, type AiSdkProviderOptions } from 'redux-agent/adapters/ai-sdk'
import { createAgentCommandFactory } from 'redux-agent'

const run = { sessionId: 's1', runId: 'r1', now: () => 1000 }

/** A run without Redux: the headless store keeps its state, and refuses what breaks the protocol. */
export function createHeadlessRun(options: AiSdkProviderOptions) {
  const provider = createAiSdkProvider({ api: 'https://chat.example.com/api/chat', ...options })
  const store = createAgentStore({ initialState: createInitialAgentState(), protocolMode: 'strict' })
  const events: AgentEvent[] = []
  const getAgentState = store.getSnapshot
  const commands = createAgentCommandFactory(run)
  const onEvent = (event: AgentEvent) => {
    events.push(event)
    store.dispatch(event)
  }

  async function command(value: AgentCommand): Promise<void> {
    const initialSequence = store.getSnapshot().lastSequenceByRun.r1!
    await runAgentCommand({ provider, command: value, initialSequence, now: run.now, getAgentState, onEvent })
  }

  return {
    provider,
    events,
    state: getAgentState,
    messages: () => JSON.parse(JSON.stringify(toUIMessages(store.getSnapshot()))) as ReturnType<typeof toUIMessages>,
    types: () => events.map(({ type }) => type),
    start: (input: AiSdkInput = { message: 'Go' }) =>
      runAgentProvider({ provider, input, run: { ...run, getAgentState }, onEvent }),
    answer: (approvalId: string, decision: 'approved' | 'rejected' | 'modified' = 'approved', data?: unknown) =>
      command(commands.create('approval.resolve', { approvalId, decision, ...(data !== undefined && { data }) })),
    cancel: () => command(commands.create('run.cancel', { reason: 'enough' })),
    command,
  }
}
