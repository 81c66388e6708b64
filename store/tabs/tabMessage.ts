import * as z from 'zod/mini'
import type { AgentCheckpoint } from '../../src/checkpoint/agentCheckpoint.ts'
import { idRecord } from '../../src/protocol/idRecord.ts'
import { nonEmptyString, optionalText } from '../../src/protocol/fields.ts'
import { isAgentEvent } from '../../src/protocol/isAgentEvent.ts'
import { isJsonValue } from '../../src/protocol/isJsonValue.ts'
import { listOf } from '../../src/protocol/listOf.ts'
import { parsedListOf } from '../../src/protocol/parsedListOf.ts'
import { isRecord } from '../../src/protocol/predicates.ts'
import type { AgentRunConnection } from '../connection/agentRunConnection.ts'
import { connectionTable } from '../connection/connectionTable.ts'
import { tabCommandsSchema } from './tabCommandsSchema.ts'
import { tabCommandStateSchema } from './tabCommandStateSchema.ts'

/**
 * The version of what tabs say to each other. It stands in the names of locks and channels, so that tabs of two
 * versions do not hear each other: each works by itself, as where there are no locks.
 */
export const tabProtocolVersion = 2

const count = z.int().check(z.nonnegative())
const flag = z.optional(z.boolean())
const events = listOf(isAgentEvent)
const errorSchema = z.object({ code: z.string(), message: z.string() })
// One that cannot be counted on from would be the last there ever is.
const epoch = z.number().check(z.minimum(0), z.maximum(Number.MAX_SAFE_INTEGER))

/** How a session stands with its storage, which its owner alone reads and writes. */
const statusSchema = z.object({
  restore: z.optional(z.enum(['restoring', 'failed'])),
  error: z.optional(errorSchema),
})

const connectionSchema = z.object({
  runId: nonEmptyString,
  sessionId: nonEmptyString,
  providerId: nonEmptyString,
  state: z.enum(Object.keys(connectionTable) as [AgentRunConnection['state'], ...AgentRunConnection['state'][]]),
  detached: z.boolean(),
  hasEnded: flag,
  error: z.optional(errorSchema),
  cursor: optionalText,
  attempt: z.optional(count),
  maxAttempts: z.optional(count),
  isOffline: flag,
  isQueued: flag,
  resumedAt: z.optional(z.number()),
  canResume: flag,
  updatedAt: z.number(),
}) satisfies z.ZodMiniType<AgentRunConnection>

const runSchema = z.object({
  connection: connectionSchema,
  isLatest: z.boolean(),
  startedAt: z.number(),
  /** Whether the run has just been asked for, and nothing of it has come yet. */
  isNew: flag,
  /** What the run was started with, where that can be told; the owner's request is made anew from it. */
  input: z.optional(z.object({ value: z.custom<unknown>(isJsonValue) })),
})

/** A change of the owner's session. */
const changeSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('events'), events, cursors: z.optional(idRecord(z.string())) }),
  z.object({ kind: z.literal('run'), run: runSchema }),
  z.object({ kind: z.literal('checkpoint'), status: statusSchema }),
])

/** A session as its owner has it; what the checkpoint says is checked as what a storage gives is. */
const snapshotSchema = z.object({
  checkpoint: z.custom<AgentCheckpoint>(isRecord),
  runs: parsedListOf(runSchema),
  commands: tabCommandsSchema,
  status: statusSchema,
  /** When the session was started clean last, which a tab that slept has not heard. */
  removedAt: z.optional(z.number()),
})

const said = z.discriminatedUnion('kind', [
  /** Asks for a snapshot; `epoch` says which owner is known. */
  z.object({ kind: z.literal('hello'), epoch }),
  /** Asks whether the owner is alive. */
  z.object({ kind: z.literal('ping'), epoch }),
  /** The owner is alive; `number` is that of its last change. */
  z.object({ kind: z.literal('pong'), to: nonEmptyString, epoch, number: count }),
  /** Another tab owns the session from now on. */
  z.object({ kind: z.literal('owned'), epoch }),
  z.object({ kind: z.literal('snapshot'), to: nonEmptyString, epoch, number: count, session: snapshotSchema }),
  z.object({ kind: z.literal('changed'), epoch, number: count, change: changeSchema }),
  /** The session was started clean, `at` then; `isRepeat` where its owner says so who was told of it, for its followers. */
  z.object({ kind: z.literal('removed'), at: z.optional(z.number()), isRepeat: flag }),
  /** Events that a command of a follower was answered by. */
  z.object({ kind: z.literal('handed'), events }),
  /** A command of a follower was answered, so that there may be more to follow. */
  z.object({ kind: z.literal('answered'), runId: nonEmptyString }),
  z.object({ kind: z.literal('abort'), runId: optionalText }),
  /** What a tab has to say of a command that it sends. */
  z.object({ kind: z.literal('command'), state: tabCommandStateSchema }),
  /** Asks for the session, to do what its owner alone does; `force` takes it whatever the owner is doing. */
  z.object({ kind: z.literal('claim'), force: z.boolean() }),
  z.object({ kind: z.literal('granted'), to: nonEmptyString }),
  z.object({ kind: z.literal('denied'), to: nonEmptyString }),
  z.object({ kind: z.literal('bye') }),
])

const envelope = z.object({ from: nonEmptyString })

export type TabRun = z.infer<typeof runSchema>
export type TabChange = z.infer<typeof changeSchema>
export type TabStatus = z.infer<typeof statusSchema>
export type TabSnapshot = z.infer<typeof snapshotSchema>
/** What a tab says. */
export type TabSaid = z.infer<typeof said>
export type TabMessage = TabSaid & { readonly from: string }

/**
 * Reads what came by a session's channel; nothing where it is no message of this version, or of another session. What is
 * on the channel may come from any script of the origin.
 */
export function parseTabMessage(value: unknown, sessionId: string): TabMessage | undefined {
  try {
    const from = envelope.safeParse(value)
    const message = said.safeParse(value)
    if (!from.success || !message.success || !isOf(message.data, sessionId)) return undefined
    return { ...message.data, from: from.data.from }
  } catch {
    return undefined
  }
}

function isOf(message: TabSaid, sessionId: string): boolean {
  const isOwn = (part: { readonly sessionId: string }) => part.sessionId === sessionId
  switch (message.kind) {
    case 'handed':
      return message.events.every(isOwn)
    case 'command':
      return isOwn(message.state.command)
    case 'snapshot':
      return (
        message.session.runs.every(({ connection }) => isOwn(connection)) &&
        message.session.commands.states.every(({ command }) => isOwn(command))
      )
    case 'changed':
      if (message.change.kind === 'events') return message.change.events.every(isOwn)
      return message.change.kind !== 'run' || isOwn(message.change.run.connection)
    default:
      return true
  }
}
