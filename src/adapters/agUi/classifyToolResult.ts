import { isFilled, isRecord } from '../../protocol/predicates.ts'

/** A tool's result as the wire brings it. */
export interface AgUiToolResult {
  readonly toolName: string
  readonly content: string | readonly unknown[]
  /** What the result's message says of an error, which only snapshots do. */
  readonly error?: string | undefined
  readonly metadata?: Readonly<Record<string, unknown>> | undefined
}

/** What a tool's result says of the call. */
export type ToolVerdict =
  | { readonly status: 'completed' }
  | { readonly status: 'failed'; readonly message: string }
  | { readonly status: 'cancelled'; readonly reason: string }

/** Says what a tool's result means; `undefined` leaves it to the default. */
export type ToolResultClassifier = (result: AgUiToolResult) => ToolVerdict | undefined

/**
 * Tells a failed call by what is in use: the message's own `error`, an `error` in its metadata, and JSON content with
 * an `error`, or with a `status` of `error` or `stopped`.
 */
export function classifyToolResult({ content, error, metadata }: AgUiToolResult): ToolVerdict {
  if (isFilled(error)) return { status: 'failed', message: error }
  const stated = metadata && describe(metadata.error)
  if (stated !== undefined) return { status: 'failed', message: stated }
  const value = typeof content === 'string' ? parseRecord(content) : undefined
  if (!value) return { status: 'completed' }
  const message = describe(value.error)
  if (value.status === 'stopped') return { status: 'cancelled', reason: message ?? 'The tool was stopped.' }
  if (message !== undefined) return { status: 'failed', message }
  if (value.status === 'error') return { status: 'failed', message: describe(value.message) ?? 'The tool failed.' }
  return { status: 'completed' }
}

function describe(error: unknown): string | undefined {
  if (isFilled(error)) return error
  if (error === true) return 'The tool failed.'
  if (!isRecord(error)) return undefined
  return isFilled(error.message) ? error.message : 'The tool failed.'
}

function parseRecord(text: string): Record<string, unknown> | undefined {
  if (!/^\s*\{/.test(text)) return undefined
  try {
    const value: unknown = JSON.parse(text)
    return isRecord(value) ? value : undefined
  } catch {
    // Text that only begins like JSON.
    return undefined
  }
}
