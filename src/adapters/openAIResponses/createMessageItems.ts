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

  /** Tells what is new of a part that is whole; says whether what was told of it before stands. */
  function said(item: OpenItem, part: number, text: string): boolean {
    const rest = takeRest(item, part, text, mayLack())
    say(item, part, rest ?? '')
    return rest !== undefined
  }

  return {
    say,
    said: (item, part, text) => void said(item, part, text),
    finish(item, stated) {
      const marks: AgentContentPart[] = []
      let whole = ''
      let isRight = true
      for (const [index, part] of readRecords(stated.content).entries()) {
        const refusal = readText(part.refusal)
        if (refusal !== undefined) getState().isRefused = true
        const text = refusal ?? readText(part.text) ?? ''
        if (!said(item, index, text)) isRight = false
        whole += text
        for (const mark of readRecords(part.annotations)) {
          marks.push({ type: `openai.${readName(mark.type) ?? 'annotation'}`, data: mark })
        }
      }
      if (!isRight) {
        // Words in the middle did not come: the whole takes the place of what did.
        const content = marks.length === 0 ? whole : [{ type: 'text' as const, text: whole }, ...marks]
        return push(events.create('message.completed', { messageId: item.id, content }))
      }
      // After the text, which they would otherwise cut into pieces; each says itself which words it is about.
      if (marks.length > 0) push(events.create('message.delta', { messageId: item.id, delta: marks }))
      push(closeEntity(events, { kind: 'message', id: item.id }, { status: 'completed' }))
    },
  }
}
