import type { AgentContentPart } from '../../protocol/agentMessageContent.ts'
import { closeEntity } from '../support/closeEntity.ts'
import type { ItemContext } from './itemContext.ts'
import { readName, readRecords, readText, type WireFields } from './responseFields.ts'
import type { OpenItem } from './responseState.ts'
import { takePiece, takeRest } from './takeText.ts'

/** Makes the events of a response's messages. */
export interface MessageItems {
  say(item: OpenItem, part: number, delta: string): void
  /** Takes a part's whole text. */
  said(item: OpenItem, part: number, text: string): void
  finish(item: OpenItem, stated: WireFields): void
}

export function createMessageItems({ events, getState, push, mayLack }: ItemContext): MessageItems {
  function say(item: OpenItem, part: number, delta: string): void {
    if (delta === '') return
    takePiece(item, part, delta)
    push(events.create('message.delta', { messageId: item.id, delta }))
  }

  const said = (item: OpenItem, part: number, text: string) => say(item, part, takeRest(item, part, text, mayLack()))

  return {
    say,
    said,
    finish(item, stated) {
      const marks: AgentContentPart[] = []
      for (const [index, part] of readRecords(stated.content).entries()) {
        const refusal = readText(part.refusal)
        if (refusal !== undefined) getState().isRefused = true
        said(item, index, refusal ?? readText(part.text) ?? '')
        for (const mark of readRecords(part.annotations)) {
          marks.push({ type: `openai.${readName(mark.type) ?? 'annotation'}`, data: mark })
        }
      }
      // After the text, which they would otherwise cut into pieces; each says itself which words it is about.
      if (marks.length > 0) push(events.create('message.delta', { messageId: item.id, delta: marks }))
      push(closeEntity(events, { kind: 'message', id: item.id }, { status: 'completed' }))
    },
  }
}
