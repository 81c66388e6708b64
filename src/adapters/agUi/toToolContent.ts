import { isRecord } from '../../protocol/predicates.ts'

const partTypes: readonly unknown[] = ['text', 'image', 'audio', 'video', 'document']

/** Makes a tool message's content of a call's result: text and parts as they are, anything else as JSON. */
export function toToolContent(result: unknown): string | readonly unknown[] {
  if (result === undefined) return ''
  if (typeof result === 'string') return result
  const isParts = Array.isArray(result) && result.length > 0 && result.every(isPart)
  return isParts ? (result as unknown[]) : JSON.stringify(result)
}

const isPart = (value: unknown) => isRecord(value) && partTypes.includes(value.type)
