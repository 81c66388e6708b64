import { createAgentCommandFactory, createAgentEventFactory, replayAgentEvents, type AgentEvent } from 'redux-agent'
import { describe, expect, it } from 'vitest'
import { checkFaultHistory, type FaultOutcome } from './nodes/checkFaultHistory.ts'
import { textOf } from './nodes/faultScenario.ts'
import type { FaultHistory } from './nodes/faultHistory.ts'
import type { CommandBody } from './support/createBrowser.ts'

const runId = 'r1'
const commands = createAgentCommandFactory({ sessionId: 'c1', runId })
const approve = commands.create('approval.resolve', { approvalId: 'a1', decision: 'approved' })
const reject = commands.create('approval.resolve', { approvalId: 'a1', decision: 'rejected' })

/** What is to be seen where everything is as it should be. */
function createSound() {
  const make = createAgentEventFactory({ sessionId: 'c1', runId, initialSequence: 0, now: () => 1 })
  const toolCallId = 't1'
  const log: AgentEvent[] = [
    make.create('run.started', {}),
    make.create('message.started', { messageId: 'm1', role: 'assistant' }),
    make.create('message.delta', { messageId: 'm1', delta: textOf('notice', 'x') }),
    make.create('message.completed', { messageId: 'm1' }),
    make.create('tool.requested', { toolCallId, name: 'send_notice' }),
    make.create('approval.requested', { approvalId: 'a1', toolCallId, description: 'Send' }),
    make.create('approval.resolved', { approvalId: 'a1', decision: 'approved' }),
    make.create('tool.running', { toolCallId }),
    make.create('tool.completed', { toolCallId, result: null }),
    make.create('run.completed', {}),
  ]
  const decided = { runId, seq: 7, event: log[6]!, createdAt: 1 }
  const body = { applied: true, appliedThroughSeq: 7, events: [decided] } as unknown as CommandBody
  const history: FaultHistory = {
    runs: [{ runId, conversationId: 'c1', kind: 'notice', tag: 'x' }],
    views: [{ reader: 'one', runId, events: [...log] }],
    states: [{ reader: 'two', runId, state: replayAgentEvents(log.slice(0, 6)) }],
    answers: [{ command: approve, status: 200, body }],
    failures: [],
  }
  const outcome = {
    logs: ['a', 'b'].map((node) => ({ node, runId, events: [...log] })),
    effects: [`${runId}:${toolCallId}`],
    titles: ['another'],
  } satisfies FaultOutcome
  return { history, outcome, log, body }
}

type Sound = ReturnType<typeof createSound>
const inLogs = ({ outcome, history }: Sound, change: (log: AgentEvent[]) => void) => {
  for (const { events } of [...outcome.logs, ...history.views]) change(events)
  // What stores showed is another matter.
  history.states.length = 0
}
const refusal = (fields: object) => ({ code: 'already_decided', events: [], message: '', ...fields }) as never

const faults: [what: string, told: RegExp, spoil: (sound: Sound) => void][] = [
  ['a log that has a gap', /is not dense/, (sound) => inLogs(sound, (log) => void log.splice(2, 1))],
  ['a log without an end', /has not one end/, (sound) => inLogs(sound, (log) => void log.pop())],
  [
    'a log that goes on after its end',
    /goes on after its end/,
    (sound) => inLogs(sound, (log) => log.push({ ...log[3]!, sequence: 11 })),
  ],
  [
    'two decisions',
    /two decisions/,
    (sound) =>
      inLogs(sound, (log) => {
        log.splice(7, 2, { ...log[6]!, sequence: 8, eventId: 'again' }, { ...log[8]!, type: 'tool.cancelled' } as AgentEvent)
      }),
  ],
  ['nodes that tell different logs', /The log of r1 at b/, ({ outcome }) => outcome.logs[1]!.events.splice(9, 1)],
  ['a reader who missed an event', /What one read/, ({ history }) => history.views[0]!.events.splice(3, 1)],
  ['a reader who saw an event twice', /What one read/, ({ history, log }) => history.views[0]!.events.splice(3, 0, log[3]!)],
  [
    'a store that shows something else',
    /What two showed of r1 at 6/,
    ({ history, log }) => {
      history.states[0]!.state = { ...replayAgentEvents(log.slice(0, 7)), lastSequenceByRun: { [runId]: 6 } }
    },
  ],
  ['an effect that happened twice', /started 1 times and done 2 times/, ({ outcome }) => outcome.effects.push(outcome.effects[0]!)],
  ['an effect that is said to have happened', /and was not/, ({ outcome }) => outcome.effects.pop()],
  ['an effect of no call', /under no call/, ({ outcome }) => outcome.effects.push(`${runId}:other`)],
  ['a document that nobody wrote', /wrote something else/, ({ outcome }) => outcome.titles.push('x')],
  ['a command that was answered and is not in the log', /was told of 6/, ({ body }) => void (body.events[0]!.seq = 6)],
  [
    'two answers to one command',
    /sent again/,
    ({ history, body }) => history.answers.push({ command: approve, status: 200, body: { ...body, appliedThroughSeq: 8 } }),
  ],
  [
    'a command that is taken, and refused when it is sent again',
    /both taken and refused/,
    ({ history }) => history.answers.push({ command: approve, status: 409, body: refusal({ decision: 'approved' }) }),
  ],
  [
    'a loser who is told of another decision',
    /told of another decision/,
    ({ history }) => history.answers.push({ command: reject, status: 409, body: refusal({ decision: 'rejected' }) }),
  ],
  [
    'a refusal that says how a run ended, and is wrong',
    /run_ended/,
    ({ history }) =>
      history.answers.push({ command: reject, status: 409, body: refusal({ code: 'run_ended', runStatus: 'cancelled' }) }),
  ],
  [
    'an error that nobody foresaw',
    /nobody foresaw/,
    ({ history }) => history.failures.push({ node: 'a', name: 'TypeError', text: '' }),
  ],
]

describe('the check of what everybody saw', () => {
  it('finds nothing where all is well', () => {
    const { history, outcome } = createSound()
    history.answers.push({ command: reject, status: 409, body: refusal({ decision: 'approved' }) })
    expect(() => checkFaultHistory(history, outcome)).not.toThrow()
  })

  it.each(faults)('finds %s', (_what, told, spoil) => {
    const sound = createSound()
    spoil(sound)
    expect(() => checkFaultHistory(sound.history, sound.outcome)).toThrow(told)
  })
})
