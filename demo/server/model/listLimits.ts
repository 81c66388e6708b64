import { splitBlocks } from './splitBlocks.ts'

/** An amount that a document sets. */
export interface Limit {
  /** The amount under its heading. */
  label: string
  amount: string
  /** Where the amount stands in the document. */
  start: number
}

const amount = /\d[\d.,]*\s?(?:(?:euros?|dollars?|days?|hours?|minutes?|percent)\b|%|€|欧元|美元|元|天|小时|分钟)|[€$]\s?\d[\d.,]*\d/giu

/** Finds the amounts of a document, each once under its heading. */
export function listLimits(content: string): Limit[] {
  const limits = new Map<string, Limit>()
  for (const { heading, text, start } of splitBlocks(content)) {
    for (const { 0: found, index } of text.matchAll(amount)) {
      const label = heading === '' ? found : `${heading}: ${found}`
      if (!limits.has(label)) limits.set(label, { label, amount: found, start: start + index })
    }
  }
  return [...limits.values()]
}
