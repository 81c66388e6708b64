import { createAgentStore, isAgentEvent } from 'redux-agent'
import { expect } from 'vitest'
import { envelopeOf, type Frame } from './readFrames.ts'

/** Every law that holds for the log of any run that has ended, judged by the package's own strict reducer. */
export function expectSoundLog(frames: readonly Frame[], runId: string): void {
  const envelopes = frames.filter((frame) => frame.name === 'message').map(envelopeOf)
  expect(envelopes.map(({ seq }) => seq)).toEqual(envelopes.map((_, index) => index + 1))
  const store = createAgentStore({ protocolMode: 'strict' })
  for (const frame of frames) {
    if (frame.name !== 'message') {
      expect(frame.id).toBeUndefined()
      continue
    }
    const { seq, event, runId: of } = envelopeOf(frame)
    expect(frame.id).toBe(String(seq))
    expect(isAgentEvent(event)).toBe(true)
    expect([of, event.runId, event.sequence]).toEqual([runId, runId, seq])
    expect(event.eventId).toBe(`${runId}:${seq}:${event.type}`)
    store.dispatch(event)
  }
  const state = store.getSnapshot()
  expect(state.issues).toEqual([])
  const entities = [state.runs, state.messages, state.reasoning, state.toolCalls, state.approvals].flatMap((record) =>
    Object.values(record),
  )
  expect(entities.filter(({ status }) => !['completed', 'failed', 'cancelled'].includes(status))).toEqual([])
}
