import { useEffect, useRef, useState } from 'react'
import type { AgentLocale } from '../locale/agentLocale.ts'
import { Button } from './Button.tsx'

/** Text that may be megabytes: beyond `limit` characters it is shown only when asked for, so that no page freezes. */
export function LongText(props: { text: string; locale: AgentLocale; limit?: number }) {
  const { text, locale, limit = 20_000 } = props
  const [isWhole, setIsWhole] = useState(false)
  const rest = useRef<HTMLSpanElement>(null)
  useEffect(() => {
    // The pressed button goes: the focus stays where the text goes on.
    if (isWhole) rest.current?.focus({ preventScroll: true })
  }, [isWhole])

  if (text.length <= limit) return <>{text}</>
  const beginning = sliceWhole(text, limit)
  if (isWhole) {
    return (
      <>
        {beginning}
        <span ref={rest} className="agent-rest" tabIndex={-1} />
        {text.slice(beginning.length)}
      </>
    )
  }
  return (
    <>
      {beginning}
      {'… '}
      <Button kind="quiet" onClick={() => setIsWhole(true)}>
        {locale.showAll(text.length)}
      </Button>
    </>
  )
}

/** Cuts before a surrogate pair rather than through it: half of an emoji is no character. */
function sliceWhole(text: string, limit: number): string {
  const last = text.charCodeAt(limit - 1)
  return text.slice(0, last >= 0xd800 && last <= 0xdbff ? limit - 1 : limit)
}
