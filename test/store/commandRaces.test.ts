import { createGate, createScriptedProvider } from 'redux-agent/testing'
import { describe, expect, it } from 'vitest'
import { createOpening } from './createCommandRun.ts'
import { createHarness, endOfTask, expectSilentConsole } from './createHarness.ts'
import { createRun } from './createRunEvents.ts'

expectSilentConsole()

describe('a command', () => {
  it('that waits for its turn is not sent after the end of the run, also where both come at the same time', async () => {
    for (let steps = 0; steps < 24; steps += 1) {
      const order: string[] = []
      const [turn, end] = [createGate(), createGate()]
      const run = createRun('r1')
      const last = () => {
        order.push('end')
        return [run.create('run.completed', {})]
      }
      const provider = createScriptedProvider({
        steps: [{ events: createOpening(run) }, { gate: end }, { events: last }],
        commands: {
          'approval.resolve'({ commandId }) {
            order.push(commandId)
            return [{ gate: turn }]
          },
        },
      })
      const { store, agent } = createHarness({ providers: [provider], ids: ['r1', 'c1', 'c2'] })
      const { startRun, resolveApproval } = agent.actions
      store.dispatch(startRun({ sessionId: 's1', provider: 'scripted', input: null }))
      await endOfTask()
      for (const approvalId of ['a', 'b']) {
        store.dispatch(resolveApproval({ runId: 'r1', approvalId, decision: 'approved' }))
      }
      await endOfTask()
      turn.open()
      for (let step = 0; step < steps; step += 1) await Promise.resolve()
      end.open()
      await endOfTask()
      expect(order.slice(order.indexOf('end'))).toEqual(['end'])
    }
  })
})
