import * as z from 'zod/mini'
import { parsedListOf } from '../../protocol/parsedListOf.ts'
import { isRecord } from '../../protocol/predicates.ts'
import type { AgUiMeta } from './agUiMeta.ts'

const text = z.optional(z.string())

const savedTextSchema = z.object({
  /** The wire's id. */
  id: z.string(),
  /** Whether this AG-UI run has said again what had ended before it. */
  isAgain: z.optional(z.boolean()),
  /** How much of it has come again so far. */
  at: z.optional(z.int().check(z.gte(0))),
  /** How it began, should it prove to be something else. */
  begun: z.optional(z.object({ role: text, meta: z.custom<AgUiMeta>(isRecord) })),
  /** What it is in the end, in place of what streamed. */
  instead: text,
})

const progressSchema = z.object({
  messages: z.optional(parsedListOf(savedTextSchema)),
  reasoning: z.optional(parsedListOf(savedTextSchema)),
  /** The stretch of reasoning that only waits for its encrypted value. */
  ending: text,
  /** How many thoughts without ids have begun. */
  thoughts: z.optional(z.number()),
  /** Calls that come again, and how much of their arguments has. */
  calls: z.optional(parsedListOf(z.object({ id: z.string(), at: z.number() }))),
  /** Results that came before their calls. */
  results: z.optional(
    parsedListOf(
      z.object({
        toolCallId: z.string(),
        messageId: text,
        content: z.union([z.string(), z.array(z.unknown())]),
        error: text,
        metadata: z.optional(z.custom<Readonly<Record<string, unknown>>>(isRecord)),
      }),
    ),
  ),
  /** What chunks are in the middle of, by the agent or subagent that they are of. */
  lanes: z.optional(
    parsedListOf(
      z.object({ owner: z.string(), kind: z.enum(['text', 'tool', 'reasoning']), id: z.string(), isCurrent: z.boolean() }),
    ),
  ),
  /** Encrypted values that came before what they belong to. */
  early: z.optional(parsedListOf(z.tuple([z.string(), z.string()]))),
  /** Spans of reasoning without words. */
  spans: z.optional(parsedListOf(z.string())),
  /** What LangGraph asks in its old way once the AG-UI run is over. */
  questions: z.optional(z.array(z.unknown())),
})

/**
 * What a reader of an AG-UI run has in hand between two chunks that no entity shows. A cursor holds it, so that a resume
 * reads on as if the wire had not been lost.
 */
export type AgUiProgress = z.infer<typeof progressSchema>
/** The same as JSON, which cursors share. */
export type SavedProgress<Name extends keyof AgUiProgress = keyof AgUiProgress> = {
  readonly [Key in Name]?: string | undefined
}
export type SavedText = z.infer<typeof savedTextSchema>
export type SavedLane = NonNullable<AgUiProgress['lanes']>[number]

/** What a cursor holds, as storage gives it back. */
export const savedCursorSchema = z.object({
  /** The runtime's latest cursor. */
  after: z.string(),
  /** How many chunks have come since, and a digest of the first of them. */
  since: z.optional(z.object({ count: z.int().check(z.gte(1)), first: z.string() })),
  progress: z.optional(progressSchema),
})

/** All that a cursor holds. */
export type SavedCursor = z.infer<typeof savedCursorSchema>
/** Where a stream goes on. */
export type AgUiPlace = Pick<SavedCursor, 'after' | 'since'>
