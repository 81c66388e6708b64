import * as z from 'zod/mini'
import { parsedListOf } from '../../protocol/parsedListOf.ts'
import { isRecord } from '../../protocol/predicates.ts'
import type { AgentTransportError } from '../../transport/agentTransportError.ts'
import { createFrameError } from '../../transport/createFrameError.ts'
import { aiSdkAdapter as adapter } from './aiSdkAdapter.ts'

// Servers in other languages send null for what is absent, which the AI SDK's own client refuses.
const text = z.nullish(z.string())
const flag = z.nullish(z.boolean())
const metadata = z.nullish(z.record(z.string(), z.unknown()))
const json = z.optional(z.unknown())
const id = z.string()
const toolCallId = z.string().check(z.minLength(1))
const toolName = z.string().check(z.minLength(1))

const called = { providerExecuted: flag, providerMetadata: metadata, toolMetadata: metadata, dynamic: flag }
const part = z.object({ id, providerMetadata: metadata })
const delta = z.object({ id, delta: z.string(), providerMetadata: metadata })
const file = z.object({ url: z.string(), mediaType: z.string(), providerMetadata: metadata })
const bare = z.object({})

const schemas = {
  start: z.object({ messageId: text, messageMetadata: json }),
  'start-step': bare,
  'finish-step': bare,
  'reset-step': bare,
  'text-start': part,
  'text-delta': delta,
  'text-end': z.object({ id, providerMetadata: metadata, citations: z.nullish(z.array(z.unknown())) }),
  'reasoning-start': part,
  'reasoning-delta': delta,
  'reasoning-end': part,
  'tool-input-start': z.object({ toolCallId, toolName, inputEncoding: text, title: text, ...called }),
  'tool-input-delta': z.object({ toolCallId, inputTextDelta: z.string() }),
  'tool-input-available': z.object({ toolCallId, toolName, input: json, title: text, ...called }),
  'tool-input-error': z.object({ toolCallId, toolName, input: json, title: text, errorText: z.string(), ...called }),
  'tool-approval-request': z.object({
    approvalId: z.string().check(z.minLength(1)),
    toolCallId,
    approvalDescriptor: json,
    inputSchemaInput: json,
    reason: text,
    isAutomatic: flag,
    signature: text,
  }),
  'tool-approval-response': z.object({
    approvalId: z.string().check(z.minLength(1)),
    approved: z.boolean(),
    reason: text,
    providerExecuted: flag,
    providerMetadata: metadata,
  }),
  'tool-output-available': z.object({ toolCallId, output: json, preliminary: flag, ...called }),
  'tool-output-error': z.object({ toolCallId, errorText: z.string(), ...called }),
  'tool-output-denied': z.object({ toolCallId }),
  'source-url': z.object({ sourceId: z.string(), url: z.string(), title: text, providerMetadata: metadata }),
  'source-document': z.object({
    sourceId: z.string(),
    mediaType: z.string(),
    title: z.string(),
    filename: text,
    providerMetadata: metadata,
  }),
  file,
  'reasoning-file': file,
  custom: z.object({ kind: z.string(), providerMetadata: metadata }),
  'steering-message': z.object({
    id: z.string(),
    parts: parsedListOf(
      z.looseObject({ type: z.enum(['text', 'file']), text, url: text, mediaType: text, filename: text }),
    ),
  }),
  'message-metadata': z.object({ messageMetadata: json }),
  error: z.object({ errorText: z.string() }),
  abort: z.object({ reason: text }),
  finish: z.object({ finishReason: text, messageMetadata: json }),
}
const dataSchema = z.object({ id: text, data: json, transient: flag })

type Schemas = typeof schemas
/** The chunk of one type, its fields as the wire has them. */
export type UIMessageChunkOf<Type extends keyof Schemas> = Type extends unknown
  ? { readonly type: Type } & z.infer<Schemas[Type]>
  : never
/** A part of the app's own data; `name` is what its type says after `data-`. */
export type DataChunk = { readonly type: 'data'; readonly name: string } & z.infer<typeof dataSchema>
/** One chunk of a UI message stream, any version from 5 to 7 of the AI SDK. */
export type UIMessageChunk = { [Type in keyof Schemas]: UIMessageChunkOf<Type> }[keyof Schemas] | DataChunk

const schemaByType: ReadonlyMap<string, z.ZodMiniType> = new Map(Object.entries(schemas))

/**
 * Reads a chunk's JSON; `undefined` where its type is none that is known, so that a newer server may send some.
 *
 * @throws AgentTransportError `invalid_frame`, which names the chunk and nothing that it holds.
 */
export function parseUIMessageChunk(data: unknown, index: number): UIMessageChunk | undefined {
  const type = isRecord(data) ? data.type : undefined
  if (typeof type !== 'string') throw invalid(index, 'has no type')
  // Most chunks are deltas, and a schema makes many small objects of each.
  if (isTextDelta(data as Record<string, unknown>)) return data as unknown as UIMessageChunk
  const isData = type.startsWith('data-')
  const schema = isData ? dataSchema : schemaByType.get(type)
  if (!schema) return undefined
  const parsed = schema.safeParse(data)
  if (!parsed.success) throw invalid(index, `is no proper "${isData ? 'data-*' : type}"`)
  if (isData) return { ...(parsed.data as z.infer<typeof dataSchema>), type: 'data', name: type.slice(5) }
  return { ...(parsed.data as object), type } as UIMessageChunk
}

function isTextDelta(data: Record<string, unknown>): boolean {
  const isPlain = data.providerMetadata === undefined
  switch (data.type) {
    case 'text-delta':
    case 'reasoning-delta':
      return isPlain && typeof data.id === 'string' && typeof data.delta === 'string'
    case 'tool-input-delta':
      return typeof data.toolCallId === 'string' && data.toolCallId !== '' && typeof data.inputTextDelta === 'string'
    default:
      return false
  }
}

function invalid(index: number, what: string): AgentTransportError {
  return createFrameError({ adapter, chunk: index }, what)
}
