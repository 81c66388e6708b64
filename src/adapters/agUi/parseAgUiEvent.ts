import * as z from 'zod/mini'
import { isFilled, isRecord } from '../../protocol/predicates.ts'
import { parsedListOf } from '../../protocol/parsedListOf.ts'
import { fitsState } from '../support/fitsState.ts'
import { fromSnakeCase } from './fromSnakeCase.ts'

const filled = z.string().check(z.minLength(1))
const record = z.custom<Record<string, unknown>>(isRecord)
const list = z.custom<readonly unknown[]>((value) => Array.isArray(value))
/** Anything that must be there, `null` included. */
const present = z.custom<unknown>((value) => value !== undefined)
const messageId = filled
const toolCallId = filled
const filledOrNone = z.optional(filled)
const textOrNone = z.optional(z.string())
/** In what is nested, `null` counts as absent as well, as senders of before 1.0 have it. */
const nullish = <Schema extends z.ZodMiniType>(schema: Schema) =>
  z.pipe(
    z.nullish(schema),
    z.transform((value) => value ?? undefined),
  )

/** Senders in Python may name fields in their own way, also in what is nested. */
const named = <Schema extends z.ZodMiniType>(schema: Schema) => z.pipe(z.transform(fromSnakeCase), schema)

const interruptSchema = z.looseObject({
  id: filled,
  reason: nullish(z.string()),
  message: nullish(z.string()),
  toolCallId: nullish(filled),
  responseSchema: nullish(record),
  expiresAt: nullish(z.string()),
  metadata: nullish(record),
})

const toolCallSchema = z.looseObject({
  id: filled,
  function: z.looseObject({ name: filled, arguments: z.string() }),
  encryptedValue: nullish(z.string()),
})

const messageSchema = z.looseObject({
  id: filled,
  role: filled,
  content: z.optional(z.unknown()),
  name: nullish(z.string()),
  toolCalls: nullish(parsedListOf(named(toolCallSchema))),
  toolCallId: nullish(filled),
  error: nullish(z.string()),
  encryptedValue: nullish(z.string()),
  activityType: nullish(filled),
  metadata: nullish(record),
  subagentRunId: nullish(filled),
})

const usage = z.optional(parsedListOf(record))

/** What each type must have. Fields that are `null` and may be absent count as absent; unknown ones pass. */
const schemas = {
  RUN_STARTED: z.looseObject({ runId: filledOrNone, input: z.optional(record) }),
  RUN_FINISHED: z.looseObject({
    runId: filledOrNone,
    result: z.optional(z.unknown()),
    outcome: z.optional(
      named(
        z.looseObject({
          type: z.string(),
          interrupts: nullish(parsedListOf(named(interruptSchema))),
          pendingToolCallIds: nullish(parsedListOf(filled)),
        }),
      ),
    ),
    usage,
  }),
  RUN_ERROR: z.looseObject({ message: z.string(), code: textOrNone, usage }),
  STEP_STARTED: z.looseObject({ stepName: filled }),
  STEP_FINISHED: z.looseObject({ stepName: filled }),
  TEXT_MESSAGE_START: z.looseObject({ messageId, role: filledOrNone, name: textOrNone }),
  TEXT_MESSAGE_CONTENT: z.looseObject({ messageId, delta: z.string() }),
  TEXT_MESSAGE_END: z.looseObject({ messageId }),
  TEXT_MESSAGE_CHUNK: z.looseObject({
    messageId: filledOrNone,
    role: filledOrNone,
    name: textOrNone,
    delta: textOrNone,
  }),
  TOOL_CALL_START: z.looseObject({ toolCallId, toolCallName: filled, parentMessageId: filledOrNone }),
  TOOL_CALL_ARGS: z.looseObject({ toolCallId, delta: z.string() }),
  TOOL_CALL_END: z.looseObject({ toolCallId }),
  TOOL_CALL_CHUNK: z.looseObject({
    toolCallId: filledOrNone,
    toolCallName: filledOrNone,
    parentMessageId: filledOrNone,
    delta: textOrNone,
  }),
  TOOL_CALL_RESULT: z.looseObject({
    messageId: filledOrNone,
    toolCallId,
    content: z.union([z.string(), list]),
    error: textOrNone,
  }),
  STATE_SNAPSHOT: z.looseObject({ snapshot: present }),
  STATE_DELTA: z.looseObject({ delta: list }),
  MESSAGES_SNAPSHOT: z.looseObject({ messages: parsedListOf(named(messageSchema)) }),
  ACTIVITY_SNAPSHOT: z.looseObject({
    messageId,
    activityType: filled,
    content: record,
    replace: z.optional(z.boolean()),
  }),
  ACTIVITY_DELTA: z.looseObject({ messageId, activityType: filledOrNone, patch: list }),
  REASONING_START: z.looseObject({ messageId }),
  REASONING_END: z.looseObject({ messageId }),
  REASONING_MESSAGE_START: z.looseObject({ messageId }),
  REASONING_MESSAGE_CONTENT: z.looseObject({ messageId, delta: z.string() }),
  REASONING_MESSAGE_END: z.looseObject({ messageId }),
  REASONING_MESSAGE_CHUNK: z.looseObject({ messageId: filledOrNone, delta: textOrNone }),
  REASONING_ENCRYPTED_VALUE: z.looseObject({ subtype: textOrNone, entityId: filled, encryptedValue: z.string() }),
  SUBAGENT_STARTED: z.looseObject({
    subagentRunId: filled,
    name: filled,
    description: textOrNone,
    parentSubagentRunId: filledOrNone,
    parentToolCallId: filledOrNone,
  }),
  SUBAGENT_FINISHED: z.looseObject({
    subagentRunId: filled,
    result: z.optional(z.unknown()),
    outcome: z.optional(z.looseObject({ type: z.string() })),
  }),
  SUBAGENT_ERROR: z.looseObject({ subagentRunId: filled, message: z.string(), code: textOrNone }),
  RAW: z.looseObject({ event: present, source: textOrNone }),
  CUSTOM: z.looseObject({ name: filled, value: z.optional(z.unknown()) }),
  // Retired, but still sent: what had no ids.
  THINKING_START: z.looseObject({}),
  THINKING_END: z.looseObject({}),
  THINKING_TEXT_MESSAGE_START: z.looseObject({}),
  THINKING_TEXT_MESSAGE_CONTENT: z.looseObject({ delta: z.string() }),
  THINKING_TEXT_MESSAGE_END: z.looseObject({}),
}

export type AgUiEventType = keyof typeof schemas

interface Attribution {
  /** The subagent that it is of; absent for the agent itself. */
  readonly subagentRunId?: string
  readonly metadata?: Readonly<Record<string, unknown>>
}

/** The event of one type, checked. */
export type AgUiEventOf<Type extends AgUiEventType> = Attribution & z.infer<(typeof schemas)[Type]> & { type: Type }
/** An AG-UI event of 1.0 or 0.0.5x. */
export type AgUiEvent = { [Type in AgUiEventType]: AgUiEventOf<Type> }[AgUiEventType]
export type AgUiInterrupt = z.infer<typeof interruptSchema>
export type AgUiSnapshotMessage = z.infer<typeof messageSchema>

/** Why a value is no event; `known` names its type where that is one of AG-UI's. */
export interface AgUiEventFault {
  readonly known: AgUiEventType | undefined
}

/** Where `null` is a value that the runtime asserts. */
const nullableFields: ReadonlySet<string> = new Set(['snapshot', 'event', 'value', 'result'])

/**
 * Reads one message of the wire: an event, nothing where its type is unknown (a later version may have added it), or
 * what is wrong with it.
 */
export function parseAgUiEvent(data: unknown): AgUiEvent | AgUiEventFault | undefined {
  if (!isRecord(data) || !isFilled(data.type)) return { known: undefined }
  if (isDelta(data)) return data
  if (!Object.hasOwn(schemas, data.type)) return undefined
  const type = data.type as AgUiEventType
  const fields = Object.entries(fromSnakeCase(data) as Record<string, unknown>).filter(([name, value]) => value !== null || nullableFields.has(name))
  const parsed = schemas[type].safeParse(Object.fromEntries(fields))
  if (!parsed.success || !fitsState(parsed.data)) return { known: type }
  const { subagentRunId, metadata } = parsed.data as Record<string, unknown>
  if (subagentRunId !== undefined && !isFilled(subagentRunId)) return { known: type }
  if (metadata !== undefined && !isRecord(metadata)) return { known: type }
  return parsed.data as AgUiEvent
}

/** Says what a parsed message is. */
export const isAgUiEvent = (parsed: AgUiEvent | AgUiEventFault): parsed is AgUiEvent => 'type' in parsed

/** Most events are these, and a schema makes some twenty small objects for each. */
function isDelta(data: Record<string, unknown>): data is Record<string, unknown> & AgUiEvent {
  const { type, subagentRunId } = data
  if (typeof data.delta !== 'string' || (subagentRunId !== undefined && !isFilled(subagentRunId))) return false
  const id =
    type === 'TEXT_MESSAGE_CONTENT' || type === 'REASONING_MESSAGE_CONTENT'
      ? data.messageId
      : type === 'TOOL_CALL_ARGS'
        ? data.toolCallId
        : undefined
  return isFilled(id)
}
