import {
  createInitialAgentState,
  reduceAgentEvents,
  runAgentCommand,
  runAgentProvider,
  createAgentCommandFactory,
  type AgentEvent,
  type AgentState,
} from 'redux-agent'
import { createAgUiProvider, type AgUiInput, type AgUiProviderOptions } from 'redux-agent/adapters/ag-ui'
import { createWire, type WireAnswers } from '../openAI/createWire.ts'

/** What an AG-UI stream begins with, and how it ends well. */
export const started = (runId = 'r1', more: object = {}) => ({ type: 'RUN_STARTED', threadId: 's1', runId, ...more })
export const finished = (runId = 'r1', more: object = {}) => ({ type: 'RUN_FINISHED', threadId: 's1', runId, ...more })

/** The three events of a message that is whole. */
export const said = (messageId: string, ...deltas: string[]) => [
  { type: 'TEXT_MESSAGE_START', messageId, role: 'assistant' },
  ...deltas.map((delta) => ({ type: 'TEXT_MESSAGE_CONTENT', messageId, delta })),
  { type: 'TEXT_MESSAGE_END', messageId },
]

/** A call whose arguments are whole. */
export const called = (toolCallId: string, toolCallName: string, args = '{"a":1}', more: object = {}) => [
  { type: 'TOOL_CALL_START', toolCallId, toolCallName, ...more },
  { type: 'TOOL_CALL_ARGS', toolCallId, delta: args },
  { type: 'TOOL_CALL_END', toolCallId },
]

/** What the agent has of the conversation. */
export const snapshot = (...messages: readonly object[]) => ({ type: 'MESSAGES_SNAPSHOT', messages })

export const interrupted = (interrupts: readonly object[], runId = 'r1') =>
  finished(runId, { outcome: { type: 'interrupt', interrupts } })

/** A conversation with an agent that answers one request after the other as it is told. */
export function createConversation(answers: WireAnswers, options: Partial<AgUiProviderOptions> = {}) {
  const { fetch, sent } = createWire(...answers)
  let made = 0
  const provider = createAgUiProvider({
    url: 'https://agent.example.com/run',
    fetch,
    createMessageId: () => `q${(made += 1)}`,
    ...options,
  })
  let state: AgentState = createInitialAgentState()
  const events: AgentEvent[] = []
  let cursor: string | undefined
  const onEvent = (event: AgentEvent) => {
    events.push(event)
    state = reduceAgentEvents(state, [event])
  }
  const last = (runId: string) => state.lastSequenceByRun[runId] ?? -1
  const now = () => 1000
  return {
    provider,
    sent,
    events,
    state: () => state,
    /** Begins with what a checkpoint held; what a provider gathered is in none. */
    restore(known: AgentState) {
      state = known
    },
    cursor: () => cursor,
    /** Starts a run; a loss of the wire ends it, unless the run may be taken up again. */
    async run(input: AgUiInput = { message: 'Hello' }, runId = 'r1', onLoss: 'transform' | 'stop' = 'transform') {
      const failures: unknown[] = []
      await runAgentProvider({
        provider,
        input,
        run: { sessionId: 's1', runId, now, getAgentState: () => state },
        onEvent,
        onCursor: (next) => (cursor = next),
        onTransportError: (error) => {
          failures.push(error)
          return onLoss
        },
      })
      return failures
    },
    /** Takes the run up again after the last cursor, or a stated one. */
    async resume(from: string | undefined = cursor, runId = 'r1') {
      const failures: unknown[] = []
      await runAgentProvider({
        provider,
        input: {},
        run: { sessionId: 's1', runId, now, initialSequence: last(runId), getAgentState: () => state },
        resume: { cursor: from! },
        onEvent,
        onCursor: (next) => (cursor = next),
        onTransportError: (error) => {
          failures.push(error)
          return 'stop'
        },
      })
      return failures
    },
    async resolve(
      approvalId: string,
      decision: 'approved' | 'rejected' | 'modified' = 'approved',
      { data, runId = 'r1', at = now }: { data?: unknown; runId?: string; at?: () => number } = {},
    ) {
      const command = createAgentCommandFactory({ sessionId: 's1', runId, now }).create('approval.resolve', {
        approvalId,
        decision,
        ...(data !== undefined && { data }),
      })
      await runAgentCommand({
        provider,
        command,
        initialSequence: last(runId),
        now: at,
        getAgentState: () => state,
        onEvent,
        onCursor: (next) => (cursor = next),
      })
    },
    async cancel(reason?: string, runId = 'r1') {
      const command = createAgentCommandFactory({ sessionId: 's1', runId, now }).create('run.cancel', { reason })
      await runAgentCommand({ provider, command, initialSequence: last(runId), getAgentState: () => state, onEvent })
    },
  }
}

/** The entities of one kind, by their id, as far as a test looks at them. */
export const byId = <Entity extends { id: string }>(record: Readonly<Record<string, Entity>>) =>
  Object.fromEntries(Object.values(record).map((entity) => [entity.id, entity]))

/** What a page shows of the assistant's words. */
export const textOf = (state: AgentState) =>
  Object.values(state.messages)
    .filter(({ role }) => role === 'assistant')
    .map(({ content }) => content)

/** What became of each approval of a run. */
export const approvalsOf = (state: AgentState) =>
  Object.fromEntries(Object.values(state.approvals).map(({ id, status, decision }) => [id, decision ?? status]))

/** A conversation whose wire was lost after this answer, and may be taken up again. */
export async function loseAfter(answer: WireAnswers[number], options: Partial<AgUiProviderOptions> = {}) {
  const chat = createConversation([answer], options)
  const failures = await chat.run(undefined, undefined, 'stop')
  return { ...chat, failures }
}
