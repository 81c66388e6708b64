import { expect, describe, it } from 'vitest'
import { createHarness, endOfTask, expectSilentConsole } from '../store/createHarness.ts'
import { askedIds, gatheringWires } from './gatheringWires.ts'
import { createWire, json } from './openAI/createWire.ts'

expectSilentConsole()

// Several questions whose answers did not arrive, and are given again all at once: they go once.

const orders = [
  ['a', 'b', 'c'],
  ['c', 'b', 'a'],
  ['b', 'a', 'c'],
  ['b', 'c', 'a'],
]

describe.each(gatheringWires)('answers by %s that a busy server did not take', (_name, make, asking, goingOn) => {
  it.each(orders)('are sent once more, given in the order %s %s %s', async (...order) => {
    const { fetch, sent } = createWire(asking, json({}, 503), goingOn)
    const provider = make(fetch)
    const { store, agent, state } = createHarness({ providers: [provider], ids: ['r1'], frames: false })
    const rest = async () => {
      for (let turn = 0; turn < 25; turn += 1) await endOfTask()
    }
    await store.dispatch(agent.actions.startRun({ sessionId: 's1', provider, input: { message: 'Go' } })).unwrap()
    const answer = (approvalId: string) =>
      store
        .dispatch(agent.actions.resolveApproval({ runId: 'r1', approvalId, decision: 'approved' }))
        .unwrap()
        .then(() => approvalId, () => undefined)
    const first = await Promise.all(askedIds.map(answer))
    expect(first).toEqual(['a', 'b', undefined])
    expect(Object.values(state().approvals).map(({ status }) => status)).toEqual(['waiting', 'waiting', 'waiting'])
    const again = await Promise.all(order.map(answer))
    expect(again).not.toEqual([undefined, undefined, undefined])
    await rest()
    expect(sent).toHaveLength(3)
    expect(state().runs.r1?.status).toBe('completed')
    expect(state().issues).toEqual([])
    expect(Object.values(state().approvals).map(({ decision }) => decision)).toEqual(['approved', 'approved', 'approved'])
    const said = Object.values(state().messages).filter(({ role }) => role === 'assistant')
    expect(said.map(({ content }) => content).join('')).toBe('Done.')
  })
})
