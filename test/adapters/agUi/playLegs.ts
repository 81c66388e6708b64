import type { AgentState } from 'redux-agent'
import { streamText, type WireAnswers } from '../openAI/createWire.ts'
import { createConversation } from './runAgUi.ts'

export type Replay = 'after' | 'all'

/** How a run is taken up again whose wire was lost. */
const resume = (replay: Replay) => ({
  resume: { replay, request: ({ cursor }: { cursor: string }) => ({ url: `https://agent.example.com/?after=${cursor}` }) },
})

/** All that a run has come to, without when. */
export function factsOf(state: AgentState) {
  const { processedEvents: _, lastSequenceByRun: __, ...facts } = state
  const isTime = (key: string) => key === 'createdAt' || key === 'updatedAt'
  return JSON.parse(JSON.stringify(facts, (key, value: unknown) => (isTime(key) ? undefined : value))) as object
}

/**
 * Plays the AG-UI runs of one run, each but the first begun by answers to what the one before it asked: what begins
 * with `no` is declined. The wire of one of them may be lost after some of its chunks, and is taken up again, after the
 * last chunk whose place has a name.
 */
export async function playLegs(
  legs: readonly (readonly object[])[],
  replay: Replay,
  { leg: lostLeg, cuts }: { leg: number; cuts: readonly number[] } = { leg: -1, cuts: [] },
  hasCursor: (at: number) => boolean = () => true,
) {
  const answers = legs.flatMap((leg, index): WireAnswers => {
    const frames = leg.map((event, at) => `${hasCursor(at) ? `id: ${at + 1}\n` : ''}data: ${JSON.stringify(event)}\n\n`)
    if (index !== lostLeg) return [streamText(frames.join(''))]
    return [...cuts, frames.length].map((end) => ({ url }) => {
      const after = Number(/after=(\d+)/.exec(url)?.[1] ?? 0)
      return streamText(frames.slice(replay === 'after' ? after : 0, end).join(''))
    })
  })
  const chat = createConversation(answers, resume(replay))
  const failures: unknown[] = []
  for (const index of legs.keys()) {
    const losses: unknown[] = []
    if (index === 0) losses.push(...(await chat.run(undefined, undefined, 'stop')))
    const waiting = Object.values(chat.state().approvals).filter(({ status }) => index > 0 && status === 'waiting')
    for (const { id } of waiting) {
      const decision = id.startsWith('no') ? 'rejected' : 'approved'
      await chat.resolve(id, decision).catch((error: unknown) => losses.push(error))
    }
    if (index === lostLeg) for (const _ of cuts) losses.splice(0, losses.length, ...(await chat.resume()))
    failures.push(...losses)
  }
  return { facts: factsOf(chat.state()), failures, state: chat.state(), events: chat.events }
}
