import { assertNever } from '../assertNever.ts'
import type { AgentEvent } from '../protocol/agentEvent.ts'
import type { AgentEventFactory } from '../protocol/createAgentEventFactory.ts'
import type { Gate } from './createGate.ts'

/** Events as they are, or made by the run's factory when their step comes. */
export type ScriptedEvents = readonly AgentEvent[] | ((events: AgentEventFactory) => readonly AgentEvent[])

/** One step of a scripted stream: a chunk of events, a gate to wait at, or the wire's end by an error. */
export type ScriptedStep = { events: ScriptedEvents; cursor?: string | undefined } | { gate: Gate } | { error: unknown }

/** What a scripted transport delivers; the cursor is the step's number unless the step states one. */
export interface ScriptedChunk {
  events: ScriptedEvents
  cursor: string
}

/** Plays steps as a stream of chunks, from the step after `cursor` on. */
export async function* playScript(
  steps: readonly ScriptedStep[],
  signal: AbortSignal,
  cursor?: string,
): AsyncGenerator<ScriptedChunk, void, undefined> {
  const first = cursor === undefined ? 0 : findStep(steps, cursor) + 1
  for (let index = first; index < steps.length; index += 1) {
    signal.throwIfAborted()
    const step = steps[index]!
    if ('events' in step) yield { events: step.events, cursor: step.cursor ?? String(index) }
    else if ('gate' in step) await step.gate.pass(signal)
    else if ('error' in step) throw step.error
    else assertNever(step)
  }
}

function findStep(steps: readonly ScriptedStep[], cursor: string): number {
  const found = steps.findIndex((step, index) => 'events' in step && (step.cursor ?? String(index)) === cursor)
  if (found === -1) throw new RangeError(`The script has no step with cursor "${cursor}".`)
  return found
}
