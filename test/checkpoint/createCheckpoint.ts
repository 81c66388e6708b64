import {
  AGENT_CHECKPOINT_SCHEMA_VERSION,
  AGENT_COMMAND_PROTOCOL_VERSION,
  AGENT_EVENT_PROTOCOL_VERSION,
  createAgentEventFactory,
  replayAgentEvents,
} from 'redux-agent'
import type { AgentCheckpoint, AgentEvent, AgentState } from 'redux-agent'

/** Makes the checkpoint of a state, its other parts empty unless stated. */
export function createCheckpoint(state: AgentState, stated: Partial<AgentCheckpoint> = {}): AgentCheckpoint {
  return {
    schemaVersion: AGENT_CHECKPOINT_SCHEMA_VERSION,
    eventProtocolVersion: AGENT_EVENT_PROTOCOL_VERSION,
    commandProtocolVersion: AGENT_COMMAND_PROTOCOL_VERSION,
    sessionId: 's1',
    state,
    inputByRun: {},
    cursorByRun: {},
    pendingCommands: [],
    savedAt: 1000,
    ...stated,
  }
}

interface RunOptions {
  runId: string
  words?: number
  ends?: boolean
  sessionId?: string
}

/** Events of one run: its start, a message of so many words, and its end where it has one. */
export function createRun(options: RunOptions): AgentEvent[] {
  const { runId, words = 3, ends = true, sessionId = 's1' } = options
  const { create } = createAgentEventFactory({ sessionId, runId, now: () => 1000 })
  const start = [create('run.started', {}), create('message.started', { messageId: 'm1', role: 'assistant' })]
  const deltas = Array.from({ length: words }, (_, index) =>
    create('message.delta', { messageId: 'm1', delta: `word${index} ` }),
  )
  const end = ends ? [create('message.completed', { messageId: 'm1' }), create('run.completed', {})] : []
  return [...start, ...deltas, ...end] as AgentEvent[]
}

/** The checkpoint of a running run after so many words. */
export function createRunning(words: number, stated: Partial<AgentCheckpoint> = {}): AgentCheckpoint {
  const state = replayAgentEvents(createRun({ runId: 'r1', words, ends: false }))
  return createCheckpoint(state, { cursorByRun: { r1: String(words) }, inputByRun: { r1: { query: 'Hi' } }, ...stated })
}
