import { closeEntity } from '../support/closeEntity.ts'
import type { ItemContext } from './itemContext.ts'
import { readName, readRecords, readText, type WireFields } from './responseFields.ts'
import type { OpenItem } from './responseState.ts'
import { takePiece, takeRest } from './takeText.ts'

/** Which stretch of an item's reasoning: a part of its summary, or of its own text. */
export type Stretch = `summary:${number}` | `text:${number}`

/** Makes the events of a response's reasoning: each stretch is a reasoning of its own. */
export interface ReasoningItems {
  reason(item: OpenItem, stretch: Stretch, delta: string): void
  /** Ends a stretch, by its whole text, of which nothing may have streamed. */
  reasoned(item: OpenItem, stretch: Stretch, text: string): void
  finish(item: OpenItem, stated: WireFields): void
}

export function createReasoningItems({ events, push, isStateless, mayLack, noteOf }: ItemContext): ReasoningItems {
  const close = (id: string) => push(closeEntity(events, { kind: 'reasoning', id }, { status: 'completed' }))

  function reason(item: OpenItem, stretch: Stretch, delta: string): void {
    if (delta === '') return
    const reasoningId = `${item.id}:${stretch}`
    if (takePiece(item, stretch, delta)) {
      item.open.push(stretch)
      push(events.create('reasoning.started', { reasoningId }, noteOf()))
    }
    if (item.open.includes(stretch)) push(events.create('reasoning.delta', { reasoningId, delta }))
  }

  function reasoned(item: OpenItem, stretch: Stretch, text: string): void {
    const rest = takeRest(item, stretch, text, mayLack())
    reason(item, stretch, rest ?? '')
    if (!item.open.includes(stretch)) return
    item.open = item.open.filter((entry) => entry !== stretch)
    const reasoningId = `${item.id}:${stretch}`
    if (rest !== undefined) return close(reasoningId)
    push(events.create('reasoning.completed', { reasoningId, content: text }))
  }

  /** Keeps what the service alone can read, for the next request; it is never shown. */
  function keepEncrypted(item: OpenItem, stated: WireFields): void {
    const { type, id, summary } = stated
    const encrypted = readName(stated.encrypted_content)
    if (!isStateless || encrypted === undefined) return
    const kept = {
      type,
      id,
      ...(Array.isArray(summary) && { summary: summary as unknown }),
      encrypted_content: encrypted,
    }
    const { meta } = noteOf({ item: kept })
    const started = { reasoningId: item.id, redacted: true }
    push(events.create('reasoning.started', started, { meta: { ...meta, hidden: true } }))
    close(item.id)
  }

  return {
    reason,
    reasoned,
    finish(item, stated) {
      const finishPart = (kind: 'summary' | 'text') => (part: WireFields, index: number) =>
        reasoned(item, `${kind}:${index}`, readText(part.text) ?? '')
      readRecords(stated.summary).forEach(finishPart('summary'))
      readRecords(stated.content).forEach(finishPart('text'))
      for (const stretch of [...item.open]) reasoned(item, stretch as Stretch, '')
      keepEncrypted(item, stated)
    },
  }
}
