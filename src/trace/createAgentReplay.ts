import type { AgentEvent } from '../protocol/agentEvent.ts'
import type { AgentState } from '../state/agentState.ts'
import { createInitialAgentState } from '../state/createInitialAgentState.ts'
import { reduceAgentEvents } from '../state/reduceAgentEvents.ts'

/** Gives a run's state at any of its sequences. */
export interface AgentReplay {
  /** The log, by sequence. */
  readonly events: readonly AgentEvent[]
  /** How many events have a sequence up to this one. */
  getPosition(sequence: number): number
  /** The state once the events up to this sequence, and no later ones, had happened; before the first, the empty one. */
  getStateAt(sequence: number): AgentState
}

const minSpacing = 256
/** Over all keyframes: each has lists of its own of what there was until then, some 100 bytes for each. */
const maxEntities = 1_000_000

/** How the types end whose events make something. */
const makers: ReadonlySet<string> = new Set(['started', 'requested', 'created'])

/**
 * Makes a replay of a log, whose sequences must go up. It folds by the live reducer and does nothing else: no tool
 * runs, no command is sent. On the way it keeps at most `maxKeyframes` states, which share what they have in common, so
 * that going back folds some hundred events and not all; fewer, where a log makes very many things.
 *
 * @experimental
 * @example
 * const replay = createAgentReplay({ events: trace.events })
 * selectAgentTimeline(replay.getStateAt(42))
 */
export function createAgentReplay(options: {
  events: readonly AgentEvent[]
  /** 64 by default. */
  maxKeyframes?: number | undefined
}): AgentReplay {
  const { events, maxKeyframes = 64 } = options
  const made = events.reduce((count, { type }) => count + (makers.has(type.slice(type.indexOf('.') + 1)) ? 1 : 0), 0)
  const affordable = Math.max(1, Math.min(maxKeyframes, Math.floor((2 * maxEntities) / (made + 1))))
  const spacing = Math.max(minSpacing, Math.ceil(events.length / affordable))
  // The state after `index * spacing` events; filled as they are come by.
  const keyframes: AgentState[] = [createInitialAgentState()]
  let last = { position: 0, state: keyframes[0]! }

  function getPosition(sequence: number): number {
    let low = 0
    let high = events.length
    while (low < high) {
      const middle = (low + high) >>> 1
      if (events[middle]!.sequence <= sequence) low = middle + 1
      else high = middle
    }
    return low
  }

  function findStart(position: number) {
    const index = Math.min(Math.floor(position / spacing), keyframes.length - 1)
    const keyframe = { position: index * spacing, state: keyframes[index]! }
    return last.position <= position && last.position >= keyframe.position ? last : keyframe
  }

  return {
    events,
    getPosition,
    getStateAt(sequence) {
      const target = getPosition(sequence)
      let { position, state } = findStart(target)
      while (position < target) {
        const next = Math.min(target, (Math.floor(position / spacing) + 1) * spacing)
        state = reduceAgentEvents(state, events.slice(position, next))
        position = next
        if (position % spacing === 0) keyframes[position / spacing] ??= state
      }
      last = { position, state }
      return state
    },
  }
}
