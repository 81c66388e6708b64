import { describe, expect, it } from 'vitest'
import { createHarness, expectSilentConsole } from './createHarness.ts'
import { createRun } from './createRunEvents.ts'

expectSilentConsole()

/** Two runs that ended or run, whose events overlap in time or not. */
function createSession(options: { overlap: boolean }) {
  const harness = createHarness()
  const [first, second] = [createRun('r1'), createRun('r2')]
  const say = (run: typeof first, messageId: string) =>
    run.create('message.started', { messageId, role: 'assistant', content: messageId })
  const opening = [
    first.create('run.started', {}),
    say(first, 'a'),
    first.create('tool.requested', { toolCallId: 't', name: 'look' }),
    first.create('approval.requested', { approvalId: 'p' }),
  ]
  const other = [
    second.create('run.started', {}),
    say(second, 'b'),
    second.create('reasoning.started', { reasoningId: 'x' }),
  ]
  const end = [say(first, 'c'), first.create('run.completed', {})]
  const batches = options.overlap ? [opening, other, end] : [opening, end, other]
  batches.forEach((events, index) => {
    harness.store.dispatch(harness.agent.events.eventsReceived({ sessionId: 's1', events }, index + 1))
  })
  const touch = () =>
    harness.store.dispatch(
      harness.agent.events.eventsReceived(
        { sessionId: 's1', events: [second.create('message.delta', { messageId: 'b', delta: '!' })] },
        4,
      ),
    )
  return { ...harness, touch, root: () => harness.store.getState() }
}

describe.each([{ overlap: false }, { overlap: true }])(
  'the selectors of a session whose runs overlap: $overlap',
  (options) => {
    const order = options.overlap ? ['a', 'b', 'c'] : ['a', 'c', 'b']

    it('give lists in the order of events, each item the same while its entity is', () => {
      const { selectors, root, touch } = createSession(options)
      const messages = selectors.selectMessages(root(), 's1')
      expect(messages.map(({ message }) => message.id)).toEqual(order)
      expect(selectors.selectMessages(root(), 's1')).toBe(messages)
      const timeline = selectors.selectAgentTimeline(root(), { sessionId: 's1' })
      expect(timeline.filter(({ kind }) => kind === 'message').map(({ id }) => id)).toEqual(order)
      expect(selectors.selectAgentTimeline(root(), { sessionId: 's1' })).toBe(timeline)
      touch()
      const after = selectors.selectMessages(root(), 's1')
      expect(after.filter((item, index) => item !== messages[index]).map(({ message }) => message.content)).toEqual([
        'b!',
      ])
      const nextTimeline = selectors.selectAgentTimeline(root(), { sessionId: 's1' })
      expect(nextTimeline.filter((item, index) => item !== timeline[index]).map(({ id }) => id)).toEqual(['b'])
    })

    it('find entities by their ids, whichever part holds them', () => {
      const { selectors, root } = createSession(options)
      expect(selectors.selectMessage(root(), { runId: 'r1', messageId: 'a' })?.content).toBe('a')
      expect(selectors.selectMessage(root(), { runId: 'r2', messageId: 'b' })?.content).toBe('b')
      expect(selectors.selectToolCall(root(), { runId: 'r1', toolCallId: 't' })?.status).toBe('pending')
      expect(selectors.selectApproval(root(), { runId: 'r1', approvalId: 'p' })?.status).toBe('waiting')
      expect(selectors.selectApproval(root(), { runId: 'r2', approvalId: 'p' })).toBeUndefined()
      expect(selectors.selectRun(root(), { runId: 'r1' })?.status).toBe('completed')
      expect(selectors.selectRunningRuns(root(), 's1').map(({ id }) => id)).toEqual(['r2'])
    })

    it('show reasoning unless it is asked to stay out, and keep to one run where that is', () => {
      const { selectors, root } = createSession(options)
      const kinds = (of: { runId?: string; includeReasoning?: boolean }) =>
        selectors.selectAgentTimeline(root(), { sessionId: 's1', ...of }).map(({ kind }) => kind)
      expect(kinds({ runId: 'r2', includeReasoning: false })).toEqual(['message'])
      expect(kinds({ runId: 'r2' })).toEqual(['message', 'reasoning'])
      expect(kinds({ runId: 'r1' })).toEqual(['message', 'tool', 'approval', 'message'])
      expect(kinds({ runId: 'r3' })).toEqual([])
    })
  },
)
