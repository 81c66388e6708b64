import { useRef } from 'react'
import type { AgentLocale } from '../locale/agentLocale.ts'
import { LongText } from './LongText.tsx'
import { useIsScrolling } from './useIsScrolling.ts'

/** Code or data as text, in a box that scrolls, also by keyboard; one that does not scroll is no stop on Tab's way. */
export function CodeBlock({ text, label, locale }: { text: string; label: string; locale: AgentLocale }) {
  const box = useRef<HTMLDivElement>(null)
  const isScrolling = useIsScrolling(box)
  return (
    // It must take the focus, or it could not be scrolled by keyboard; a region each would crowd the landmarks.
    // eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <div ref={box} className="agent-code" role="group" aria-label={label} tabIndex={isScrolling ? 0 : undefined}>
      <pre>
        <LongText text={text} locale={locale} />
      </pre>
    </div>
  )
}
