import type { AgentEventMeta } from '../../protocol/agentEvent.ts'
import { isRecord } from '../../protocol/predicates.ts'
import { omitUndefined } from '../../state/omitUndefined.ts'

/**
 * What an entity keeps of its UIMessage part under `meta.aiSdk`, so that the part can be made again: its place (`part`
 * counts a message's parts over all its streams), its step, and the fields that the protocol has no name for.
 */
export interface AiSdkMeta {
  readonly messageId?: string | undefined
  readonly part?: number | undefined
  readonly step?: number | undefined
  readonly type?: string | undefined
  readonly [field: string]: unknown
}

/** Gives what an entity keeps of its part; `undefined` where another provider made it. */
export function readAiSdkMeta({ meta }: { meta?: AgentEventMeta | undefined }): AiSdkMeta | undefined {
  return isRecord(meta?.aiSdk) ? (meta.aiSdk as AiSdkMeta) : undefined
}

export function toMeta(own: AiSdkMeta): { aiSdk: AiSdkMeta } {
  return { aiSdk: omitUndefined(own) }
}

/** A text of a message, or what is no text in it: a message holds all texts of a step. */
export interface AiSdkTextMeta {
  /** The wire's id, by which its deltas come. */
  readonly id?: string | undefined
  readonly custom?: boolean | undefined
  /** In characters; absent while it is open. */
  readonly length?: number | undefined
  readonly providerMetadata?: unknown
  readonly citations?: unknown
}

const textPrefix = 'aiSdk:'

/** The key of a text's own entry in its message's meta: one a text, so that a later one restates no earlier one. */
export const textKey = (part: number) => `${textPrefix}${part}`

/** Gives the texts of a message by their place, in order. */
export function readTexts(meta: AgentEventMeta | undefined): readonly (readonly [number, AiSdkTextMeta])[] {
  return Object.entries(meta ?? {})
    .filter(([key, entry]) => key.startsWith(textPrefix) && isRecord(entry))
    .map(([key, entry]) => [Number(key.slice(textPrefix.length)), entry as AiSdkTextMeta] as const)
    .sort(([one], [other]) => one - other)
}
