import { useState } from 'react'
import type { AgentLocale } from '../locale/agentLocale.ts'
import { Button } from './Button.tsx'

/** Text that may be megabytes: beyond `limit` characters it is shown only when asked for, so that no page freezes. */
export function LongText(props: { text: string; locale: AgentLocale; limit?: number }) {
  const { text, locale, limit = 20_000 } = props
  const [isWhole, setIsWhole] = useState(false)
  if (isWhole || text.length <= limit) return <>{text}</>
  return (
    <>
      {sliceWhole(text, limit)}
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
