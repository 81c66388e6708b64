import './Conversation.css'
import { memo, type RefObject } from 'react'
import type { ConversationRun } from '../conversations/conversationRun.ts'
import { RunBlock } from '../conversations/RunBlock.tsx'
import { useRunWindow } from '../conversations/useRunWindow.ts'

interface ConversationProps {
  readonly sessionId: string
  readonly runs: readonly ConversationRun[]
  readonly scrollerRef: RefObject<HTMLElement | null>
  readonly canRegenerate: boolean
  readonly onRegenerate: (runId: string) => void
  readonly onNearStart: () => void
}

/** The runs of a conversation, of which those are there that are in view, and some around them. */
export const Conversation = memo(function Conversation(props: ConversationProps) {
  const { sessionId, runs, scrollerRef, canRegenerate, onRegenerate, onNearStart } = props
  const { virtualizer, items, getHeight } = useRunWindow({ runs, scrollerRef, onNearStart })
  if (runs.length === 0) return null
  return (
    <div className="conversation" style={{ height: virtualizer.getTotalSize() }}>
      <div className="conversation-window" style={{ transform: `translateY(${items[0]?.start ?? 0}px)` }}>
        {items.map(({ key, index }) => (
          <div key={key} data-index={index} ref={virtualizer.measureElement}>
            <RunBlock
              sessionId={sessionId}
              run={runs[index]!}
              isCalm={!virtualizer.isScrolling}
              getHeight={getHeight}
              canRegenerate={canRegenerate}
              onRegenerate={onRegenerate}
            />
          </div>
        ))}
      </div>
    </div>
  )
})
