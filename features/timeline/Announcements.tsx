import { useEffect, useRef } from 'react'
import type { AgentTimelineItem } from '../../src/selectors/agentTimelineItem.ts'
import type { AnyReactAgentRuntime } from '../createAgentRuntime.ts'
import { useConnection } from '../connection/useConnection.ts'
import type { AgentLocale } from '../locale/agentLocale.ts'
import { useLatest } from '../view/useLatest.ts'
import { createAnnouncer, type Announcer } from './createAnnouncer.ts'
import { describeItem } from './describeItem.ts'

/**
 * A live region that says what has finished or needs the person, never what streams; what was there before is not read
 * out. It is written past React, so that saying something is no second render.
 */
export function Announcements(props: {
  agent: AnyReactAgentRuntime
  sessionId: string
  runId: string | undefined
  items: readonly AgentTimelineItem[]
  locale: AgentLocale
}) {
  const { agent, sessionId, runId, items } = props
  const region = useRef<HTMLDivElement>(null)
  const locale = useLatest(props.locale)
  const announcer = useRef<Announcer>(undefined)
  const wire = useConnection(agent, runId === undefined ? { sessionId } : { runId })

  useEffect(() => {
    const made = createAnnouncer((news) => {
      const words = news.map((item) => describeItem(item, locale.current)).filter((text) => text !== undefined)
      if (words.length > 0 && region.current) region.current.textContent = words.join(' ')
    })
    announcer.current = made
    return made.stop
  }, [locale])

  useEffect(() => announcer.current?.look({ sessionId, items, wire }), [items, sessionId, wire])

  return <div ref={region} className="agent-visually-hidden" role="status" aria-live="polite" />
}
