import { memo, useId, useMemo, type KeyboardEvent } from 'react'
import type { AgentTraceMoment, AgentTraceMomentKind } from '../../src/trace/agentTraceMoment.ts'
import type { AgentLocale } from '../locale/agentLocale.ts'

/** More marks than that stand too close to be told from each other. */
const places = 1000
const lanes: Readonly<Record<AgentTraceMomentKind, number>> = { tool: 0, approval: 1, checkpoint: 2 }

/** The slider, and under it a lane of marks for each kind of moment. */
export function ReplayTrack(props: {
  position: number
  length: number
  /** What a screen reader says of the position. */
  place: string
  moments: readonly AgentTraceMoment[]
  getPosition: (sequence: number) => number
  locale: AgentLocale
  onSeek: (position: number) => void
  onJump: (direction: -1 | 1) => void
  onToggle: () => void
}) {
  const { position, length, place, moments, getPosition, locale, onSeek, onJump, onToggle } = props
  const helpId = useId()
  const share = length === 0 ? 0 : position / length

  function onKeyDown(event: KeyboardEvent) {
    const { key, shiftKey, repeat } = event
    const isBack = key === 'ArrowLeft' || key === 'ArrowDown'
    const isForth = key === 'ArrowRight' || key === 'ArrowUp'
    const isJump = shiftKey && (isBack || isForth)
    if (key !== ' ' && !isJump) return
    event.preventDefault()
    if (isJump) onJump(isBack ? -1 : 1)
    // A key that is held down is one press.
    else if (!repeat) onToggle()
  }

  return (
    <div className="agent-replay-track">
      <svg className="agent-replay-marks" viewBox={`0 0 ${places} 30`} preserveAspectRatio="none" aria-hidden="true">
        <path className="agent-replay-rail" d={`M0 6H${places}`} />
        <path className="agent-replay-gone" d={`M0 6H${Math.round(share * places)}`} />
        <Marks moments={moments} getPosition={getPosition} length={length} />
      </svg>
      <input
        type="range"
        className="agent-replay-slider"
        aria-label={locale.replay.position}
        aria-valuetext={place}
        aria-describedby={helpId}
        min={0}
        max={length}
        step={1}
        value={position}
        onChange={(event) => onSeek(event.target.valueAsNumber)}
        onKeyDown={onKeyDown}
      />
      <span id={helpId} hidden>
        {locale.replay.keys}
      </span>
    </div>
  )
}

/** Apart, so that scrubbing draws no mark anew. */
const Marks = memo(function Marks(props: {
  moments: readonly AgentTraceMoment[]
  getPosition: (sequence: number) => number
  length: number
}) {
  const { moments, getPosition, length } = props
  const paths = useMemo(() => {
    const marks: Record<AgentTraceMomentKind, Set<number>> = { tool: new Set(), approval: new Set(), checkpoint: new Set() }
    for (const { kind, sequence } of moments) marks[kind].add(Math.round((getPosition(sequence) / length) * places))
    return Object.entries(marks).map(([kind, at]) => {
      const top = 14 + 6 * lanes[kind as AgentTraceMomentKind]
      return { kind, path: [...at].map((x) => `M${x} ${top}v4`).join('') }
    })
  }, [moments, getPosition, length])
  return paths.map(({ kind, path }) => <path key={kind} className="agent-replay-mark" data-kind={kind} d={path} />)
})
