import { memo, useEffect, useRef } from 'react'
import type { AgentTraceMoment } from '../../src/trace/agentTraceMoment.ts'
import type { AgentLocale } from '../locale/agentLocale.ts'
import { describeMoment } from './describeMoment.ts'

const pageSize = 200

/** The moments as a list, which leads to each; of very many those around the present one. */
export const ReplayMoments = memo(function ReplayMoments(props: {
  moments: readonly AgentTraceMoment[]
  /** The index of the latest that has happened; -1 before the first. */
  current: number
  locale: AgentLocale
  onSeek: (sequence: number) => void
}) {
  const { moments, current, locale, onSeek } = props
  const list = useRef<HTMLOListElement>(null)
  const count = moments.length
  const from = Math.floor(Math.max(0, current) / pageSize) * pageSize
  const page = moments.slice(from, from + pageSize)

  useEffect(() => {
    const box = list.current
    const item = box?.querySelector<HTMLElement>('[aria-current]')?.parentElement
    // Not `scrollIntoView`, which would move the page, too.
    if (box && item) {
      box.scrollTop = keepInView(box.scrollTop, { start: item.offsetTop, size: item.offsetHeight, view: box.clientHeight })
      box.scrollLeft = keepInView(box.scrollLeft, { start: item.offsetLeft, size: item.offsetWidth, view: box.clientWidth })
    }
  }, [current])

  return (
    <nav className="agent-replay-moments" aria-label={locale.replay.moments}>
      {count === 0 && <p className="agent-note">{locale.replay.noMoments}</p>}
      {count > pageSize && (
        <p className="agent-note">{locale.replay.range({ from: from + 1, to: from + page.length, count })}</p>
      )}
      <ol ref={list} className="agent-replay-list">
        {page.map((moment, index) => (
          // Moments never change, so that a moment's place is its name.
          // eslint-disable-next-line react/no-array-index-key
          <li key={from + index}>
            <MomentButton moment={moment} isCurrent={from + index === current} locale={locale} onSeek={onSeek} />
          </li>
        ))}
      </ol>
    </nav>
  )
})

const MomentButton = memo(function MomentButton(props: {
  moment: AgentTraceMoment
  isCurrent: boolean
  locale: AgentLocale
  onSeek: (sequence: number) => void
}) {
  const { moment, isCurrent, locale, onSeek } = props
  const words = describeMoment(moment, locale)
  return (
    <button
      type="button"
      className="agent-replay-moment"
      data-kind={moment.kind}
      aria-current={isCurrent ? 'step' : undefined}
      title={words}
      onClick={() => onSeek(moment.sequence)}
    >
      <span className="agent-replay-moment-sequence">{moment.sequence}</span>
      <span className="agent-visually-hidden">{locale.replay.kinds[moment.kind]}: </span>
      <span className="agent-replay-moment-words">{words}</span>
    </button>
  )
})

function keepInView(scroll: number, { start, size, view }: { start: number; size: number; view: number }): number {
  return Math.max(Math.min(scroll, start), start + size - view)
}
