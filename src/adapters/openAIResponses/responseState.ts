import * as z from 'zod/mini'
import { idRecord } from '../../protocol/idRecord.ts'
import { parsedListOf } from '../../protocol/parsedListOf.ts'
import { AgentTransportError } from '../../transport/agentTransportError.ts'
import { openAIResponsesAdapter as adapter } from './openAIResponsesAdapter.ts'

const numbers: z.ZodMiniType<Record<string, number>> = idRecord(z.int())
const ids = parsedListOf(z.string())

/** An item of a response that has begun and is not done. */
const openItemSchema = z.object({
  key: z.string(),
  index: z.int(),
  type: z.string(),
  /** Its entity's id, and the call's own where that is another. */
  id: z.string(),
  callId: z.optional(z.string()),
  /** How much has streamed of each of its texts: a message's parts, a reasoning's stretches, a call's arguments. */
  lengths: numbers,
  /** Of what has streamed, so that the whole can be compared with it. */
  prints: numbers,
  /** Stretches of a reasoning that are open. */
  open: ids,
  isRunning: z.boolean(),
  hasArtifact: z.boolean(),
  /** Whether it is a call that a person approved, whose arguments are known. */
  isApproved: z.boolean(),
})

const stateSchema = z.object({
  responseId: z.optional(z.string()),
  /** The sequence at which the response's events begin. */
  base: z.int(),
  /** The last chunk's place in the stream, and its own number, where it has one. */
  position: z.int(),
  number: z.int(),
  /** How many items are known by their place. */
  count: z.int(),
  done: ids,
  items: parsedListOf(openItemSchema),
  /** Calls that are the app's to run; `callId` where the wire's own id of it is another's as well. */
  handed: parsedListOf(z.object({ id: z.string(), type: z.string(), callId: z.optional(z.string()) })),
  /** Calls that a person approved and that have not come yet, by the wire's id of the request. */
  awaited: parsedListOf(z.object({ id: z.string(), request: z.string() })),
  /** What is asked; `request` where the wire's own id of it is another's as well. */
  approvals: parsedListOf(
    z.object({
      id: z.string(),
      request: z.optional(z.string()),
      name: z.string(),
      arguments: z.string(),
      server: z.string(),
    }),
  ),
  /** The ids of the response's calls so far. */
  calls: z.optional(ids),
  /** Whether it goes on with a run that other responses began. */
  isContinuation: z.optional(z.boolean()),
  hasTask: z.boolean(),
  isRefused: z.boolean(),
})

export type OpenItem = z.infer<typeof openItemSchema>

/** What is known of a response in the middle of its stream; its JSON is a cursor, so that a resume knows it, too. */
export type ResponseState = z.infer<typeof stateSchema>

/** A call that a person approved. */
export type AwaitedCall = ResponseState['awaited'][number]

/** What is known of a response that begins; `awaited` where it goes on after the answers to approvals. */
export const createResponseState = (base: number, awaited?: readonly AwaitedCall[]): ResponseState => ({
  base,
  position: -1,
  number: -1,
  count: 0,
  done: [],
  items: [],
  handed: [],
  awaited: [...(awaited ?? [])],
  approvals: [],
  ...(awaited && { isContinuation: true }),
  hasTask: false,
  isRefused: false,
})

export const createOpenItem = (item: Pick<OpenItem, 'key' | 'index' | 'type' | 'id'>): OpenItem => ({
  ...item,
  lengths: {},
  prints: {},
  open: [],
  isRunning: false,
  hasArtifact: false,
  isApproved: false,
})

/** @throws AgentTransportError `resume_unavailable` where the cursor is not one of this adapter's. */
export function parseResponseCursor(cursor: string): ResponseState & { responseId: string } {
  try {
    const state = stateSchema.parse(JSON.parse(cursor))
    return { ...state, responseId: z.string().parse(state.responseId) }
  } catch {
    const message = `${adapter}: The cursor is not one of this adapter; start a new run.`
    throw new AgentTransportError('resume_unavailable', message, { adapter })
  }
}
