import { createAgentEventFactory, reduceAgentEvents, replayAgentEvents, selectRunningRuns } from 'redux-agent'
import { describe, expect, it } from 'vitest'

const start = (runId: string, time: number) =>
  createAgentEventFactory({ sessionId: 's1', runId, now: () => time }).create('run.started', {})
const idsOf = (state: Parameters<typeof selectRunningRuns>[0]) => selectRunningRuns(state, 's1').map(({ id }) => id)

describe('selectRunningRuns', () => {
  it('gives the oldest first, also where ids are whole numbers, which a record sorts', () => {
    expect(idsOf(replayAgentEvents([start('10', 1), start('run', 2), start('9', 3), start('1', 4)]))).toEqual([
      '10',
      'run',
      '9',
      '1',
    ])
  })

  it('leaves runs of the same time as they came, and the list as it is while no run starts or ends', () => {
    const state = replayAgentEvents([start('b', 1), start('a', 1), start('c', 0)])
    expect(idsOf(state)).toEqual(['c', 'b', 'a'])
    const task = createAgentEventFactory({ sessionId: 's1', runId: 'a', initialSequence: 0 })
    const later = reduceAgentEvents(state, [task.create('task.created', { taskId: 't', title: 'x' })])
    expect(selectRunningRuns(later, 's1')).toBe(selectRunningRuns(state, 's1'))
  })
})
