import { useEffect, useId, useRef } from 'react'
import type { AgentTraceMoment, AgentTraceMomentKind } from '../../src/trace/agentTraceMoment.ts'
import type { AgentLocale } from '../locale/agentLocale.ts'
import { formatOffset } from './formatOffset.ts'
import { ReplayButton } from './ReplayButton.tsx'
import { ReplayTrack } from './ReplayTrack.tsx'
import type { TraceReplayControls, TraceReplaySpeed } from './useTraceReplay.ts'

const speeds: readonly TraceReplaySpeed[] = [1, 2, 4, 8]

/** The controls of a replay: all of them keep their places, whatever happened at the moment. */
export function ReplayBar(props: {
  replay: TraceReplayControls
  /** Those that are marked and jumped to. */
  moments: readonly AgentTraceMoment[]
  kinds: readonly AgentTraceMomentKind[]
  /** When the run began, in milliseconds. */
  startedAt: number
  lastSequence: number
  locale: AgentLocale
}) {
  const { replay, moments, kinds, startedAt, lastSequence, locale } = props
  const { position, length, event, isPlaying, speed, seek, seekSequence, findMoment, getPosition } = replay
  const words = locale.replay
  const speedId = useId()
  const previous = findMoment(-1, kinds)
  const next = findMoment(1, kinds)
  const place = event
    ? words.place({ sequence: event.sequence, last: lastSequence, event: event.type })
    : words.beforeStart
  const { region, announceNext } = useSpokenPlace(place)
  const toggle = isPlaying ? replay.pause : replay.play
  const jump = (sequence: number | undefined) => {
    announceNext()
    if (sequence !== undefined) seekSequence(sequence)
  }
  const step = (by: -1 | 1) => {
    announceNext()
    seek(position + by)
  }

  return (
    <div className="agent-replay-bar" role="group" aria-label={words.controls}>
      <ReplayTrack
        position={position}
        length={length}
        place={place}
        moments={moments}
        getPosition={getPosition}
        locale={locale}
        onSeek={seek}
        onJump={(direction) => {
          const sequence = direction < 0 ? previous : next
          if (sequence !== undefined) seekSequence(sequence)
        }}
        onToggle={toggle}
      />
      <div className="agent-replay-buttons">
        <ReplayButton icon="previousMoment" label={words.previousMoment} isDisabled={previous === undefined} onClick={() => jump(previous)} />
        <ReplayButton icon="previousEvent" label={words.previousEvent} isDisabled={position === 0} onClick={() => step(-1)} />
        <ReplayButton icon={isPlaying ? 'pause' : 'play'} label={isPlaying ? words.pause : words.play} isPrimary onClick={toggle} />
        <ReplayButton icon="nextEvent" label={words.nextEvent} isDisabled={position === length} onClick={() => step(1)} />
        <ReplayButton icon="nextMoment" label={words.nextMoment} isDisabled={next === undefined} onClick={() => jump(next)} />
      </div>
      <div className="agent-replay-speed">
        <label htmlFor={speedId}>{words.speed}</label>
        <select
          id={speedId}
          value={speed}
          onChange={({ target }) => {
            const chosen = speeds.find((known) => String(known) === target.value)
            if (chosen) replay.setSpeed(chosen)
          }}
        >
          {speeds.map((known) => (
            <option key={known} value={known}>
              {known}×
            </option>
          ))}
        </select>
      </div>
      <p className="agent-replay-place">
        <span className="agent-replay-number">
          {event?.sequence ?? '–'} / {lastSequence}
        </span>
        <span className="agent-replay-time">{formatOffset(event ? event.timestamp - startedAt : 0)}</span>
        {event ? <code>{event.type}</code> : <span>{words.beforeStart}</span>}
      </p>
      <div ref={region} className="agent-visually-hidden" role="status" />
    </div>
  )
}

/** A live region for the buttons: the slider says its place itself, and playing is not read out. */
function useSpokenPlace(place: string) {
  const region = useRef<HTMLDivElement>(null)
  const isDue = useRef(false)
  useEffect(() => {
    if (isDue.current && region.current) region.current.textContent = place
    isDue.current = false
  }, [place])
  return {
    region,
    announceNext() {
      isDue.current = true
    },
  }
}
