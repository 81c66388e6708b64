import type { AgentLocale } from '../locale/agentLocale.ts'
import { LongText } from './LongText.tsx'

/** Code or data as text, in a box that scrolls, also by keyboard. */
export function CodeBlock({ text, label, locale }: { text: string; label: string; locale: AgentLocale }) {
  return (
    // It must take the focus, or it could not be scrolled by keyboard; a region each would crowd the landmarks.
    // eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <div className="agent-code" role="group" aria-label={label} tabIndex={0}>
      <pre>
        <LongText text={text} locale={locale} />
      </pre>
    </div>
  )
}
