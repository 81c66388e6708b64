import { useEffect, useRef } from 'react'
import { shallowEqual, useSelector, useStore } from 'react-redux'
import type { AgentTimelineItem } from '../../src/selectors/agentTimelineItem.ts'
import type { AgentRootState } from '../../store/runtime/agentSlice.ts'
import type { AnyReactAgentRuntime } from '../createAgentRuntime.ts'
import type { AgentLocale } from '../locale/agentLocale.ts'
import { useLatest } from '../view/useLatest.ts'
import { createAnnouncer, type Announcer } from './createAnnouncer.ts'
import { describeItem } from './describeItem.ts'
import { selectTakeUp } from './selectTakeUp.ts'

/**
 * A live region that says what has finished or needs the person, never what streams; what was there before is not read
 * out. It is written past React, so that saying something is no second render.
 */
export function Announcements(props: {
  agent: AnyReactAgentRuntime
  sessionId: string
  items: readonly AgentTimelineItem[]
  locale: AgentLocale
}) {
  const { agent, sessionId, items } = props
  const region = useRef<HTMLDivElement>(null)
  const locale = useLatest(props.locale)
  const announcer = useRef<Announcer>(undefined)
  const store = useStore<AgentRootState<string>>()
  const { selectors } = agent
  // A storage that has not answered may still do so, and what it has is put in place then.
  const isUnread = useSelector(
    (root: AgentRootState<string>) =>
      selectors.selectConnectionState(root, { sessionId }) === 'restoring' ||
      selectors.selectCheckpointError(root, sessionId)?.code === 'load_failed',
  )
  const takeUps = useSelector((root: AgentRootState<string>) => {
    const latest = selectors.selectLatestRunConnection(root, sessionId)?.runId
    const running = selectors.selectRunningRuns(root, sessionId).map(({ id }) => id)
    const runIds = latest === undefined ? running : [...running, latest]
    return Object.fromEntries(runIds.map((runId) => [runId, selectTakeUp(agent, root, runId)]))
  }, shallowEqual)

  useEffect(() => {
    const made = createAnnouncer((news) => {
      const words = news.map((item) => describeItem(item, locale.current)).filter((text) => text !== undefined)
      if (words.length > 0 && region.current) region.current.textContent = words.join(' ')
    })
    announcer.current = made
    return made.stop
  }, [locale])

  useEffect(() => {
    const takeUpOf = (runId: string) => selectTakeUp(agent, store.getState(), runId)
    announcer.current?.look({ sessionId, items, isUnread, runIds: Object.keys(takeUps), takeUpOf })
  }, [agent, store, sessionId, items, isUnread, takeUps])

  return <div ref={region} className="agent-visually-hidden" role="status" aria-live="polite" />
}
