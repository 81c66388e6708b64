import * as z from 'zod/mini'
import type { AgentEventMeta } from '../../protocol/agentEvent.ts'
import { idRecord } from '../../protocol/idRecord.ts'

const text = z.optional(z.string())

const agUiMetaSchema = z.looseObject({
  /** The wire's id, where the entity has another. */
  messageId: text,
  name: text,
  subagentRunId: text,
  parentMessageId: text,
  /** The id of the message that brought a tool's result. */
  resultMessageId: text,
  /** Opaque to everyone but the model; sent back. */
  encryptedValue: text,
  activityType: text,
  /** What an approval is on the wire. */
  kind: z.optional(z.enum(['interrupt', 'legacy', 'tool'])),
  interruptId: text,
  reason: text,
  responseSchema: z.optional(z.unknown()),
  metadata: z.optional(z.unknown()),
  /** The AG-UI run that asked. */
  wireRunId: text,
  /** The call that is asked about, where it is of an earlier run. */
  toolCallId: text,
  /** How much came before a text that an AG-UI run said again, longer, after an answer. */
  skipped: z.optional(z.number()),
  /** Whether its AG-UI run had said again, word for word, what there was under its id. */
  isAfterAgain: z.optional(z.boolean()),
  /** The AG-UI run that changed it last, and how often that has. */
  changedIn: text,
  changes: z.optional(z.number()),
  /** The AG-UI run that finished it. */
  endedIn: text,
  /** What the run had used when it asked. */
  usage: z.optional(idRecord(z.number())),
})

/** What the adapter keeps of the wire in an entity's `meta.agUi`: what later requests need. */
export type AgUiMeta = z.infer<typeof agUiMetaSchema>

/** Reads what the adapter kept; state may come from storage, so it is checked. */
export function readAgUiMeta(entity: { readonly meta?: AgentEventMeta | undefined }): AgUiMeta {
  const parsed = agUiMetaSchema.safeParse(entity.meta?.agUi)
  return parsed.success ? parsed.data : {}
}

/** Makes the options of an event that carries it; absent where there is nothing to keep. */
export function withAgUiMeta(meta: AgUiMeta, isHidden: boolean): { meta?: AgentEventMeta } {
  const entries = Object.entries(meta).filter(([, value]) => value !== undefined)
  const kept = entries.length === 0 ? {} : { agUi: Object.fromEntries(entries) }
  return entries.length > 0 || isHidden ? { meta: { ...kept, ...(isHidden && { hidden: true }) } } : {}
}
