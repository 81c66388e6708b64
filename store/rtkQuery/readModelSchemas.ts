import * as z from 'zod/mini'
import type { AgentEvent } from '../../src/protocol/agentEvent.ts'
import { agentMessageContentSchema } from '../../src/protocol/agentMessageContent.ts'
import { isAgentEvent } from '../../src/protocol/isAgentEvent.ts'
import { listOf } from '../../src/protocol/listOf.ts'
import { parsedListOf } from '../../src/protocol/parsedListOf.ts'
import { isRecord } from '../../src/protocol/predicates.ts'
import type {
  AgentConversation,
  AgentConversationsPage,
  AgentHistoryPage,
  AgentRecordedRun,
  AgentRunEventsPage,
} from './agentReadModel.ts'

const filled = z.string().check(z.minLength(1))
const sequence = z.int().check(z.nonnegative())
const status = z.enum(['running', 'interrupted', 'completed', 'failed', 'cancelled'])

const cursorOf = z.pipe(
  z.optional(z.nullable(z.string())),
  z.transform((cursor: string | null | undefined) => cursor ?? null),
)

const summary = { id: filled, title: z.string(), createdAt: z.number(), updatedAt: z.number() }

const run = z.object({
  runId: filled,
  conversationId: filled,
  status,
  lastSeq: sequence,
  createdAt: z.number(),
  updatedAt: z.number(),
})

const message = z.object({
  id: filled,
  runId: filled,
  role: filled,
  content: agentMessageContentSchema,
  status: z.enum(['streaming', 'completed', 'failed', 'cancelled']),
  createdAt: z.number(),
})

const page = { messages: parsedListOf(message), runs: parsedListOf(run), nextCursor: cursorOf }

/** The log's entries are frames of the stream, whose events are what matters; the check stops at the first that is none. */
const events = z.pipe(
  listOf((frame): frame is { event: AgentEvent } => isRecord(frame) && isAgentEvent(frame.event)),
  z.transform((frames: readonly { event: AgentEvent }[]) => frames.map(({ event }) => event)),
)

/** What the answers of a run server hold; what else they hold is left out. */
export const readModelSchemas = {
  conversations: z.object({ conversations: parsedListOf(z.object(summary)), nextCursor: cursorOf }),
  conversation: z.object({ ...summary, ...page }),
  conversationHistory: z.object(page),
  run,
  runEvents: z.object({ events, lastSeq: sequence, status }),
} satisfies {
  conversations: z.ZodMiniType<AgentConversationsPage>
  conversation: z.ZodMiniType<AgentConversation>
  conversationHistory: z.ZodMiniType<AgentHistoryPage>
  run: z.ZodMiniType<AgentRecordedRun>
  runEvents: z.ZodMiniType<AgentRunEventsPage>
}
