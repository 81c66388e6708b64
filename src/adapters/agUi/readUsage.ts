type Usage = Readonly<Record<string, number>>

const counts = [
  'inputTokens',
  'outputTokens',
  'totalTokens',
  'reasoningTokens',
  'cachedInputTokens',
  'cacheWriteInputTokens',
] as const

/** Sums what each model call used; a count that nobody stated stays absent. */
export function readUsage(entries: readonly Record<string, unknown>[] = []): Usage | undefined {
  let sum: Usage | undefined
  for (const entry of entries) {
    const stated = counts.filter((name) => Number.isFinite(entry[name])).map((name) => [name, entry[name] as number])
    sum = addUsage(sum, Object.fromEntries(stated) as Usage)
  }
  return sum && Object.keys(sum).length > 0 ? sum : undefined
}

export function addUsage(one: Usage | undefined, other: Usage | undefined): Usage | undefined {
  if (!one || !other) return one ?? other
  const sum: Record<string, number> = { ...one }
  for (const [name, count] of Object.entries(other)) sum[name] = (sum[name] ?? 0) + count
  return sum
}
