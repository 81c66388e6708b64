import {
  createAgentCommandFactory,
  createAgentStore,
  createInitialAgentState,
  runAgentCommand,
  runAgentProvider,
  type AgentCommand,
  type AgentEvent,
} from 'redux-agent'
import { createAiSdkProvider, toUIMessages, type AiSdkInput, type AiSdkProviderOptions } from 'redux-agent/adapters/ai-sdk'

const run = { sessionId: 's1', runId: 'r1', now: () => 1000 }

/** A run without Redux: the headless store keeps its state, and refuses what breaks the protocol. */
export function createHeadlessRun(options: AiSdkProviderOptions) {
  const provider = createAiSdkProvider({ api: 'https://chat.example.com/api/chat', ...options })
  const store = createAgentStore({ initialState: createInitialAgentState(), protocolMode: 'strict' })
  const events: AgentEvent[] = []
  const getAgentState = store.getSnapshot
  const commands = createAgentCommandFactory(run)
  let cursor: string | undefined
  let loss: unknown
  const onCursor = (next: string) => void (cursor = next)
  const onEvent = (event: AgentEvent) => {
    events.push(event)
    store.dispatch(event)
  }
  const lastSequence = () => store.getSnapshot().lastSequenceByRun.r1

  async function command(value: AgentCommand): Promise<void> {
    const initialSequence = lastSequence()!
    await runAgentCommand({ provider, command: value, initialSequence, now: run.now, getAgentState, onEvent, onCursor })
  }

  /** Reads a stream; with `keepsLoss` an error of the wire is noted instead of ending the run. */
  async function read(input: AiSdkInput, more: { resume?: { cursor: string }; keepsLoss?: boolean } = {}) {
    const { resume, keepsLoss = false } = more
    const initialSequence = resume && lastSequence()
    loss = undefined
    await runAgentProvider({
      provider,
      input,
      run: { ...run, getAgentState, initialSequence },
      onEvent,
      onCursor,
      resume,
      onTransportError(error) {
        loss = error
        return keepsLoss ? 'stop' : 'transform'
      },
    })
  }

  return {
    provider,
    events,
    state: getAgentState,
    messages: () => JSON.parse(JSON.stringify(toUIMessages(store.getSnapshot()))) as ReturnType<typeof toUIMessages>,
    types: () => events.map(({ type }) => type),
    cursor: () => cursor,
    loss: () => loss,
    start: (input: AiSdkInput = { message: 'Go' }) => read(input),
    /** Starts, and lets a lost wire be. */
    begin: (input: AiSdkInput = { message: 'Go' }) => read(input, { keepsLoss: true }),
    resume: (from = cursor!) => read({ message: 'Go' }, { resume: { cursor: from }, keepsLoss: true }),
    answer: (approvalId: string, decision: 'approved' | 'rejected' | 'modified' = 'approved', data?: unknown) =>
      command(commands.create('approval.resolve', { approvalId, decision, ...(data !== undefined && { data }) })),
    cancel: () => command(commands.create('run.cancel', { reason: 'enough' })),
    command,
    commands,
  }
}

export type HeadlessRun = ReturnType<typeof createHeadlessRun>

/** The approval of a call that waits. */
export function waitingApproval(run: HeadlessRun, toolCallId: string): string {
  const waiting = Object.values(run.state().approvals).filter((entry) => entry.status === 'waiting')
  const found = waiting.find((entry) => entry.toolCallId === toolCallId)
  if (!found) throw new Error(`No approval of "${toolCallId}" waits.`)
  return found.id
}
