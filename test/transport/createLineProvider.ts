import type { AgentEventFactory, AgentProvider, AgentTransport } from 'redux-agent'
import * as z from 'zod/mini'

/** A line of a runtime that numbers what it says. */
export const runLine = z.object({ n: z.number(), text: z.optional(z.string()), end: z.optional(z.boolean()) })
export type RunLine = z.infer<typeof runLine>

/** A provider of such lines, which takes a lost stream up again after the last line that it knows. */
export function createLineProvider(
  transport: AgentTransport<string, RunLine>,
): AgentProvider<string, string, RunLine, { runId: string; events: AgentEventFactory }> {
  const messageId = 'answer'
  return {
    id: 'lines',
    protocol: { name: 'agent-event', version: '0.1' },
    capabilities: {
      eventTypes: ['run.started', 'message.started', 'message.delta', 'message.completed', 'run.completed', 'run.failed'],
      transports: [transport.kind],
      resumable: true,
    },
    transport,
    createContext: (context) => context,
    start: (_input, { events }) => [
      events.create('run.started', {}),
      events.create('message.started', { messageId, role: 'assistant' }),
    ],
    prepareRequest: (_input, { runId }) => runId,
    transformChunk: ({ text, end }, { events }) => [
      ...(text === undefined ? [] : [events.create('message.delta', { messageId, delta: text })]),
      ...(end ? [events.create('message.completed', { messageId }), events.create('run.completed', {})] : []),
    ],
    flush: () => [],
    transformError: () => [],
    classifyError: (error) => ({ retryable: (error as { retryable?: boolean }).retryable === true }),
  }
}
