import { useEffect, useMemo, useState } from 'react'
import type { AgentEvent } from '../../src/protocol/agentEvent.ts'
import type { AgentState } from '../../src/state/agentState.ts'
import type { AgentTrace } from '../../src/trace/agentTrace.ts'
import type { AgentTraceMoment, AgentTraceMomentKind } from '../../src/trace/agentTraceMoment.ts'
import { createAgentReplay } from '../../src/trace/createAgentReplay.ts'
import { getNextStop } from '../../src/trace/getNextStop.ts'
import { listTraceMoments } from '../../src/trace/listTraceMoments.ts'
import { useLatest } from '../view/useLatest.ts'
import { hostTimers, type TraceReplayTimers } from './traceReplayTimers.ts'

/** How fast a replay goes: so many times real time. */
export type TraceReplaySpeed = 1 | 2 | 4 | 8

/** How a trace is played. */
export interface TraceReplayOptions {
  /** The longest pause between two events, in milliseconds, before the speed is taken into account; 2000 by default. */
  maxGap?: number | undefined
  /** The sequence it begins at; before the first event by default. */
  initialSequence?: number | undefined
  /** The host's by default. */
  timers?: TraceReplayTimers | undefined
}

/** A trace at one of its sequences, and the ways to others. */
export interface TraceReplayControls {
  /** The state as it was. */
  readonly state: AgentState
  /** The state after the last event. */
  readonly end: AgentState
  /** How many events have happened, of `length`. */
  readonly position: number
  readonly length: number
  /** The newest event; none before the first. */
  readonly event: AgentEvent | undefined
  readonly isPlaying: boolean
  readonly speed: TraceReplaySpeed
  /** All tool calls, approvals and checkpoints, by sequence. */
  readonly moments: readonly AgentTraceMoment[]
  /** Plays on, from the beginning where it stands at the end. */
  play(): void
  pause(): void
  setSpeed(speed: TraceReplaySpeed): void
  /** Goes where so many events have happened; playing ends. */
  seek(position: number): void
  /** Goes where the event of this sequence has just happened; playing ends. */
  seekSequence(sequence: number): void
  /** How many events have a sequence up to this one; the same function while the trace is the same. */
  getPosition(sequence: number): number
  /** The sequence of the moment before or after, among those of these kinds; none where there is none. */
  findMoment(direction: -1 | 1, kinds?: readonly AgentTraceMomentKind[]): number | undefined
}

/**
 * Replays a trace: it gives the state at a position and plays on in the time that the events state. It folds events and
 * does nothing else. The trace of another run begins anew; more of the same run leaves the place as it is.
 *
 * @experimental
 * @example
 * const { state, position, length, seek, play } = useTraceReplay(trace)
 */
export function useTraceReplay(trace: AgentTrace, options: TraceReplayOptions = {}): TraceReplayControls {
  const { maxGap = 2000, initialSequence = -1, timers = hostTimers } = options
  const replay = useMemo(() => createAgentReplay({ events: trace.events }), [trace.events])
  const moments = useMemo(() => listTraceMoments(trace), [trace])
  const { runId } = trace
  const [kept, setPlace] = useState({ runId, sequence: initialSequence, isPlaying: false })
  const [speed, setSpeed] = useState<TraceReplaySpeed>(1)
  const place = kept.runId === runId ? kept : { runId, sequence: initialSequence, isPlaying: false }
  const { isPlaying } = place
  const { events } = replay
  const { length } = events
  const position = replay.getPosition(place.sequence)
  const sequence = events[position - 1]?.sequence ?? -1
  // The end first: of the state it is asked for last, a replay goes on the quickest.
  const end = useMemo(() => replay.getStateAt(Infinity), [replay])
  const state = useMemo(() => replay.getStateAt(sequence), [replay, sequence])

  const go = (to: number, isGoingOn: boolean) => {
    const target = Math.min(Math.max(0, Math.round(to)), length)
    setPlace({ runId, sequence: events[target - 1]?.sequence ?? -1, isPlaying: isGoingOn && target < length })
  }
  const goOn = useLatest(go)

  useEffect(() => {
    if (!isPlaying) return
    const next = getNextStop(events, { position, speed, maxGap })
    return timers.setTimer(() => goOn.current(next.position, true), next.delay)
  }, [events, isPlaying, position, speed, maxGap, timers, goOn])

  return {
    state,
    end,
    position,
    length,
    event: events[position - 1],
    isPlaying,
    speed,
    moments,
    play: () => go(position === length ? 0 : position, true),
    pause: () => go(position, false),
    setSpeed,
    seek: (to) => go(to, false),
    getPosition: replay.getPosition,
    seekSequence: (to) => go(replay.getPosition(to), false),
    findMoment(direction, kinds) {
      const isWanted = (moment: AgentTraceMoment) => !kinds || kinds.includes(moment.kind)
      return direction > 0
        ? moments.find((moment) => moment.sequence > sequence && isWanted(moment))?.sequence
        : moments.findLast((moment) => moment.sequence < sequence && isWanted(moment))?.sequence
    },
  }
}
