import { isRecord } from '../../protocol/predicates.ts'

/** Fields of what a service sent, of which nothing is known yet. */
export type WireFields = Readonly<Record<string, unknown>>

export const readText = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined)

/** A text that is not empty, as ids and names are. */
export const readName = (value: unknown): string | undefined => readText(value) || undefined

export const readIndex = (value: unknown): number | undefined =>
  Number.isSafeInteger(value) && (value as number) >= 0 ? (value as number) : undefined

export const readRecord = (value: unknown): WireFields => (isRecord(value) ? value : {})

export const readRecords = (value: unknown): WireFields[] => (Array.isArray(value) ? value.filter(isRecord) : [])
