import { splitBlocks } from './splitBlocks.ts'

/** An amount that a document sets. */
export interface Limit {
  /** The amount under its heading. */
  label: string
  amount: string
  /** The block of text that it stands in. */
  text: string
}

const amount = /\d[\d.,]*\s?(?:(?:euros?|dollars?|days?|hours?|minutes?|percent)\b|%|€|欧元|美元|元|天|小时|分钟)|[€$]\s?\d[\d.,]*\d/giu

/** Finds the amounts of a document, each once under its heading. */
export function listLimits(content: string): Limit[] {
  const limits = new Map<string, Limit>()
  for (const { heading, text } of splitBlocks(content)) {
    for (const [found] of text.matchAll(amount)) {
      const label = heading === '' ? found : `${heading}: ${found}`
      if (!limits.has(label)) limits.set(label, { label, amount: found, text })
    }
  }
  return [...limits.values()]
}
