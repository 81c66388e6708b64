import * as z from 'zod/mini'
import { isRecord } from './predicates.ts'

/** One part of a message: text, an image, a file, or whatever a vendor names `vendor.kind` (design, section 5). */
export type AgentContentPart =
  | { readonly type: 'text'; readonly text: string }
  | {
      readonly type: 'image'
      readonly url?: string | undefined
      readonly data?: unknown
      readonly mediaType?: string | undefined
    }
  | {
      readonly type: 'file'
      readonly url?: string | undefined
      readonly data?: unknown
      readonly mediaType?: string | undefined
      readonly name?: string | undefined
    }
  | { readonly type: `${string}.${string}`; readonly data: unknown }

/** What a message holds: text, or a list of parts (`text`, `image`, `file`, or a `vendor.kind` with `data`). */
export type AgentMessageContent = string | readonly AgentContentPart[]

/**
 * Says whether a value is a message's content, and stops at the first part that is none: a schema of a list of unions
 * notes what every part lacks of every kind, which of a list of millions is gigabytes.
 */
export function isAgentMessageContent(value: unknown): value is AgentMessageContent {
  if (typeof value === 'string') return true
  if (!Array.isArray(value)) return false
  // By index, as `every` passes over the holes of a list.
  for (let index = 0; index < value.length; index += 1) if (!isContentPart(value[index])) return false
  return true
}

export const agentMessageContentSchema = z.custom<AgentMessageContent>(isAgentMessageContent)

function isContentPart(value: unknown): value is AgentContentPart {
  if (!isRecord(value)) return false
  const { type } = value
  switch (type) {
    case 'text':
      return typeof value.text === 'string'
    case 'image':
      return isOptionalText(value.url) && isOptionalText(value.mediaType)
    case 'file':
      return isOptionalText(value.url) && isOptionalText(value.mediaType) && isOptionalText(value.name)
    default:
      return typeof type === 'string' && /^[^.]+\..+/.test(type) && value.data !== undefined
  }
}

const isOptionalText = (value: unknown): value is string | undefined => value === undefined || typeof value === 'string'
