import assert from 'node:assert/strict'
import { isDeepStrictEqual } from 'node:util'
import { replayAgentEvents, type AgentEvent } from 'redux-agent'
import type { FaultHistory, FaultRun } from './faultHistory.ts'
import { textOf } from './faultScenario.ts'

/** The log of each run, as each node tells it, and what was done. */
export interface FaultOutcome {
  logs: readonly { node: string; runId: string; events: readonly AgentEvent[] }[]
  /** One line for each time that something was done outside: the key that it was done under. */
  effects: readonly string[]
  /** The titles of the documents that there are. */
  titles: readonly string[]
}

type Log = readonly AgentEvent[]
const endings: ReadonlySet<string> = new Set(['run.completed', 'run.failed', 'run.cancelled'])

/** @throws AssertionError where anything does not hold that faults must not break. */
export function checkFaultHistory(history: FaultHistory, outcome: FaultOutcome): void {
  const logOf = new Map<string, Log>()
  for (const { node, runId, events } of outcome.logs) {
    const known = logOf.get(runId)
    if (known === undefined) logOf.set(runId, events)
    else assertSame(events, known, `The log of ${runId} at ${node}`)
  }
  const requireLog = (runId: string): Log => {
    const log = logOf.get(runId)
    assert.ok(log, `There is no log of ${runId}.`)
    return log
  }
  for (const run of history.runs) {
    const log = requireLog(run.runId)
    checkLog(run, log)
    checkWork(run, log, outcome)
  }
  for (const { reader, runId, events } of history.views) {
    assertSame(events, requireLog(runId), `What ${reader} read of ${runId}`)
  }
  for (const { reader, runId, state } of history.states) {
    const known = state.lastSequenceByRun[runId] ?? 0
    const replayed = replayAgentEvents(requireLog(runId).slice(0, known))
    assertSame(state, replayed, `What ${reader} showed of ${runId} at ${known}`)
  }
  checkAnswers(history.answers, requireLog)
  const unforeseen = history.failures.filter(({ name }) => name !== 'StoreUnavailableError')
  assert.deepEqual(unforeseen, [], 'Nodes met errors that nobody foresaw.')
}

function checkLog({ runId, kind, tag }: FaultRun, log: Log): void {
  const name = `The log of ${runId}`
  const sequences = log.map(({ sequence }) => sequence)
  assert.deepEqual(sequences, [...log.keys()].map((index) => index + 1), `${name} is not dense.`)
  const ends = log.filter(({ type }) => endings.has(type))
  assert.equal(ends.length, 1, `${name} has not one end.`)
  const end = ends[0]!
  assert.equal(log.at(-1), end, `${name} goes on after its end.`)
  assert.notEqual(end.type, 'run.failed', `${name} failed: ${JSON.stringify(end)}`)
  const decided = log.flatMap((event) => (event.type === 'approval.resolved' ? [event.payload.approvalId] : []))
  assert.equal(new Set(decided).size, decided.length, `${name} has two decisions on one approval.`)
  assert.deepEqual(replayAgentEvents(log).issues, [], `${name} breaks the protocol.`)
  if (end.type !== 'run.completed') return
  const said = log.map((event) => (event.type === 'message.delta' ? String(event.payload.delta) : '')).join('')
  assert.equal(said, textOf(kind, tag), `${name} does not say everything once.`)
}

/** What a run says that it did, and what was done. */
function checkWork({ runId, tag }: FaultRun, log: Log, { effects, titles }: FaultOutcome): void {
  const requested = log.flatMap((event) => (event.type === 'tool.requested' ? [event.payload] : []))
  const count = (type: AgentEvent['type'], toolCallIds: readonly string[]) =>
    log.filter((event) => event.type === type && toolCallIds.includes((event.payload as { toolCallId: string }).toolCallId))
      .length
  for (const { name, toolCallId } of requested.filter(({ retryOf }) => retryOf === undefined)) {
    const attempts = [toolCallId]
    for (const { retryOf, toolCallId: id } of requested) {
      if (retryOf !== undefined && attempts.includes(retryOf)) attempts.push(id)
    }
    const started = count('tool.running', attempts)
    const completed = count('tool.completed', attempts)
    assert.ok(completed <= 1, `${toolCallId} of ${runId} succeeded ${completed} times.`)
    if (name !== 'send_notice') continue
    // Each attempt that was started acts at most once, and all under one key, by which a service knows them again.
    const done = effects.filter((key) => key === `${runId}:${toolCallId}`).length
    assert.ok(done <= started, `${toolCallId} of ${runId} was started ${started} times and done ${done} times.`)
    assert.ok(done >= completed, `${toolCallId} of ${runId} is said to be done, and was not.`)
  }
  const keys = new Set(
    requested.filter(({ retryOf }) => retryOf === undefined).map(({ toolCallId }) => `${runId}:${toolCallId}`),
  )
  const foreign = effects.filter((key) => key.startsWith(`${runId}:`) && !keys.has(key))
  assert.deepEqual(foreign, [], `Something was done under no call of ${runId}.`)
  const writes = requested.filter(({ name }) => name === 'document_write').map(({ toolCallId }) => toolCallId)
  const documents = titles.filter((title) => title === tag).length
  assert.equal(documents, count('tool.completed', writes), `${runId} wrote something else than it says.`)
}

function checkAnswers(answers: FaultHistory['answers'], requireLog: (runId: string) => Log): void {
  const taken = new Map<string, unknown>()
  const refused = new Set(answers.flatMap(({ command, status }) => (status === 200 ? [] : [command.idempotencyKey])))
  for (const { command, status, body } of answers) {
    const log = requireLog(command.runId)
    const name = `${command.type} of ${command.runId} (${status} ${body.code ?? ''})`
    for (const { seq, event } of body.events ?? []) assertSame(event, log[seq - 1], `What ${name} was told of ${seq}`)
    if (status === 200) {
      const { idempotencyKey: key } = command
      if (taken.has(key)) assertSame(body, taken.get(key), `The answer to ${name}, sent again,`)
      taken.set(key, body)
      assert.ok(!refused.has(key), `${name} was both taken and refused, under one key.`)
      assert.ok(body.events.length > 0, `${name} did nothing.`)
    } else {
      assert.equal(status, 409, `${name}: ${body.message}`)
      checkRefusal({ command, body, name }, log)
    }
  }
}

function checkRefusal(
  { command, body, name }: { command: FaultHistory['answers'][number]['command']; body: { code: string; decision: string; runStatus: string }; name: string },
  log: Log,
): void {
  if (body.code === 'run_ended') return assert.equal(log.at(-1)!.type, `run.${body.runStatus}`, name)
  if (command.type === 'tool.retry') return assert.match(body.code, /^(?:already_retried|not_retryable)$/, name)
  assert.equal(body.code, 'already_decided', name)
  const { approvalId } = command.payload as { approvalId: string }
  const decisions = log.flatMap((event) =>
    event.type === 'approval.resolved' && event.payload.approvalId === approvalId ? [event.payload.decision] : [],
  )
  assert.deepEqual(decisions, [body.decision], `${name} was told of another decision.`)
}

/** As JSON: what is undefined is not there. */
function assertSame(actual: unknown, expected: unknown, what: string): void {
  const [one, other] = [actual, expected].map((value) => JSON.parse(JSON.stringify(value ?? null)) as unknown)
  if (isDeepStrictEqual(one, other)) return
  assert.deepEqual(one, other, `${what} is not what stands in the log.`)
}
