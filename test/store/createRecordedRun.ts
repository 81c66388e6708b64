import type { AgentEvent } from 'redux-agent'
import { createRun } from './createRunEvents.ts'

/** The log of a run as a server keeps it: more than 500 events with text, reasoning, tools, approvals and a task. */
export function createRecordedRun(options: { runId?: string; sessionId?: string; steps?: number } = {}): AgentEvent[] {
  const { runId = 'r1', sessionId = 's1', steps = 12 } = options
  const run = createRun(runId, sessionId)
  const log: AgentEvent[] = [
    run.create('run.started', { input: { message: 'Go' } }),
    run.create('session.started', { title: 'A long one 😀' }),
    run.create('message.started', { messageId: 'user', role: 'user', content: 'Go' }),
    run.create('message.completed', { messageId: 'user' }),
    run.create('task.created', { taskId: 'task', title: 'All of it' }),
  ]
  for (let step = 0; step < steps; step += 1) log.push(...createStep(run, step))
  log.push(
    run.create('task.completed', { taskId: 'task' }),
    run.create('run.completed', { usage: { tokens: steps } }),
  )
  return log
}

function createStep(run: ReturnType<typeof createRun>, step: number): AgentEvent[] {
  const [messageId, reasoningId, toolCallId, approvalId] = ['m', 'r', 't', 'a'].map((name) => `${name}${step}`) as [
    string,
    string,
    string,
    string,
  ]
  const isApproved = step % 3 !== 1
  return [
    run.create('reasoning.started', { reasoningId }),
    ...words(8).map((delta) => run.create('reasoning.delta', { reasoningId, delta })),
    run.create('reasoning.completed', { reasoningId }),
    run.create('message.started', { messageId, role: 'assistant' }),
    ...words(20).map((delta) => run.create('message.delta', { messageId, delta })),
    run.create('message.completed', { messageId }),
    run.create('tool.requested', { toolCallId, name: 'look' }),
    ...['{"q":', '"ü",', '"n":', `${step}}`].map((delta) => run.create('tool.arguments_delta', { toolCallId, delta })),
    run.create('approval.requested', { approvalId, toolCallId, data: { amount: step } }),
    run.create('approval.resolved', { approvalId, decision: isApproved ? 'approved' : 'rejected' }),
    run.create('tool.running', { toolCallId }),
    isApproved
      ? run.create('tool.completed', { toolCallId, result: { found: step } })
      : run.create('tool.cancelled', { toolCallId, reason: 'rejected' }),
    run.create('task.updated', { taskId: 'task', progress: (step + 1) / 100 }),
  ]
}

const vocabulary = ['alpha ', 'βeta ', '😀 ', 'line\n']
const words = (count: number) => Array.from({ length: count }, (_, index) => vocabulary[index % 4]!)
