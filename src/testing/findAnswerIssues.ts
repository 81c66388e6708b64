import type { AgentCommand } from '../protocol/agentCommand.ts'
import { assertIteratorResult } from '../provider/assertIteratorResult.ts'
import { closeIterator } from '../provider/closeIterator.ts'
import { createEventCheck } from '../provider/createEventCheck.ts'
import { isThenable } from '../provider/isThenable.ts'
import type { AgentCommandOptions, AnyAgentProvider } from '../provider/agentProvider.ts'
import type { AgentProviderCommandIssueCode } from './agentProviderCommandIssue.ts'
import type { Deadline } from './createDeadline.ts'
import { readEventId } from './readEventId.ts'

/** An answer with more events than this counts as one that does not end. */
const maxEvents = 10_000

/** What was read of an answer: an event, its end, or the error that ended it. */
type Reading = { event: unknown } | { end: true } | { error: unknown }

interface Sample {
  provider: AnyAgentProvider
  command: AgentCommand
  initialSequence: number
  getAgentState?: AgentCommandOptions['getAgentState']
  isDeclared: boolean
  createDeadline: () => Deadline
  report: (code: AgentProviderCommandIssueCode, message: string, eventId?: string) => void
}

/** Executes one command and reports what is wrong with the answer. */
export async function findAnswerIssues(sample: Sample): Promise<void> {
  const { report, createDeadline } = sample
  const controller = new AbortController()
  const iterator = execute(sample, controller.signal)
  if (!iterator) return
  const deadline = createDeadline()
  const unended = await readAnswer(sample, iterator, deadline)
  deadline.cancel()
  if (!unended) return
  report('unended_answer', 'The answer did not end.')
  controller.abort()
  await checkAbort(unended.next, { report, deadline: createDeadline() })
  closeIterator(iterator)
}

function execute(
  { provider, command, initialSequence, getAgentState, isDeclared, report }: Sample,
  signal: AbortSignal,
): AsyncIterator<unknown> | undefined {
  try {
    const answer = provider.executeCommand!(command, { signal, initialSequence, getAgentState })
    if (typeof answer?.[Symbol.asyncIterator] === 'function') return answer[Symbol.asyncIterator]()
    const advice = isThenable(answer) ? ' but with a promise; make executeCommand an async generator function' : ''
    report('invalid_answer', `"${command.type}" was not answered with an async iterable of events${advice}.`)
  } catch (error) {
    const message = `"${command.type}" threw before it was answered; errors belong to the answer: ${describe(error)}`
    if (isDeclared) report('synchronous_throw', message)
  }
  return undefined
}

/** Reads an answer to its end; where it does not come in time, gives what is still waited for. */
async function readAnswer(
  { provider, command, initialSequence, isDeclared, report }: Sample,
  iterator: AsyncIterator<unknown>,
  deadline: Deadline,
): Promise<{ next: Promise<Reading> } | undefined> {
  const { sessionId, runId, type } = command
  const check = createEventCheck({ provider, sessionId, runId, known: initialSequence })
  for (let count = 0; ; count += 1) {
    const next = read(iterator)
    const reading = count < maxEvents ? await deadline.wait(next) : undefined
    if (!reading) return { next }
    if ('error' in reading) {
      if (isDeclared)
        report('rejected_command', `"${type}" is declared, yet was not granted: ${describe(reading.error)}`)
      return undefined
    }
    if ('end' in reading) {
      if (!isDeclared) report('undeclared_command', `"${type}" was taken, but is not in capabilities.commands.`)
      return undefined
    }
    const fault = check(reading.event)
    if (fault) report(fault.code, fault.message, readEventId(reading.event))
  }
}

async function checkAbort(
  next: Promise<Reading>,
  { report, deadline }: Pick<Sample, 'report'> & { deadline: Deadline },
): Promise<void> {
  const reading = await deadline.wait(next)
  deadline.cancel()
  if (!reading) report('ignored_abort', 'The answer did not close after an abort.')
  else if ('event' in reading) {
    report('event_after_abort', 'The answer went on after an abort.', readEventId(reading.event))
  }
}

async function read(iterator: AsyncIterator<unknown>): Promise<Reading> {
  try {
    const result = await iterator.next()
    assertIteratorResult(result)
    return result.done ? { end: true } : { event: result.value }
  } catch (error) {
    return { error }
  }
}

const describe = (error: unknown) => (error instanceof Error ? error.message : String(error))
