import { isRecord } from '../../protocol/predicates.ts'

/** Reads what an answer took, in tokens, under either wire's names; what is no number is left out. */
export function readOpenAIUsage(usage: unknown): Record<string, number> | undefined {
  if (!isRecord(usage)) return undefined
  const input = readDetails(usage.prompt_tokens_details ?? usage.input_tokens_details)
  const output = readDetails(usage.completion_tokens_details ?? usage.output_tokens_details)
  const counts = {
    inputTokens: usage.prompt_tokens ?? usage.input_tokens,
    outputTokens: usage.completion_tokens ?? usage.output_tokens,
    totalTokens: usage.total_tokens,
    cachedInputTokens: input.cached_tokens,
    reasoningTokens: output.reasoning_tokens,
  }
  const known = Object.entries(counts).filter((entry): entry is [string, number] => Number.isFinite(entry[1]))
  return known.length > 0 ? Object.fromEntries(known) : undefined
}

const readDetails = (details: unknown): Readonly<Record<string, unknown>> => (isRecord(details) ? details : {})
