import type { AgentCommand } from 'redux-agent'
import { RunServerError } from '../runServerError.ts'
import type { EventRow, RunRow } from '../store/rows.ts'
import type { RunServerTransaction } from '../store/runServerStore.ts'
import type { RunExecutor } from './createRunExecutor.ts'
import { endRun } from './endRun.ts'
import { expireOverdueApprovals } from './expireOverdueApprovals.ts'
import { hashBody } from './hashBody.ts'
import { readRun } from './readRun.ts'
import { requireRunning } from './requireRunning.ts'
import { resolveApproval } from './resolveApproval.ts'
import { retryTool } from './retryTool.ts'
import type { RunServices } from './runServices.ts'
import { takeUpRun } from './takeUpRun.ts'

/** What a command did: the events that it caused at once, and up to where the log is known with them. */
export interface CommandAnswer {
  applied: true
  appliedThroughSeq: number
  events: EventRow[]
}

/**
 * Does what a command asks, once: its events, its record and what it changes are one transaction; the same command sent
 * again gets the same answer. Any node may do it: whoever works on the run reads what was decided.
 *
 * @throws RunServerError 404, 409 or 422 as the routes say.
 */
export async function executeCommand(
  services: RunServices,
  executor: RunExecutor,
  options: { ownerId: string; command: AgentCommand },
): Promise<CommandAnswer> {
  const { ownerId, command } = options
  const { store, signals, crashPoint } = services
  const { type, runId, payload, idempotencyKey: key } = command
  const bodyHash = hashBody({ type, runId, payload })
  const asked = await store.read((transaction) => readRun(transaction, ownerId, runId))
  // Text that was already said belongs before what the person decides.
  await executor.flush(runId).catch(() => undefined)
  await expireOverdueApprovals(services, runId)
  crashPoint('decision.before')
  const answer = await store.transaction(async (transaction): Promise<CommandAnswer> => {
    const run = await readRun(transaction, ownerId, runId, { lock: true })
    if (run.conversationId !== command.sessionId) {
      throw new RunServerError({
        status: 400,
        code: 'session_mismatch',
        message: 'This run belongs to another session. Send the sessionId of its conversation.',
      })
    }
    const known = await transaction.idempotency.get(ownerId, key)
    if (known !== undefined) return repeat(known.bodyHash === bodyHash, known.answer as CommandAnswer)
    const events = await apply(services, transaction, run, command)
    const made = { applied: true as const, appliedThroughSeq: events[events.length - 1]!.seq, events }
    await transaction.idempotency.insert({ ownerId, key, bodyHash, answer: made, createdAt: services.now() })
    return made
  })
  crashPoint('decision.after')
  crashPoint('wake-up.before')
  if (type === 'run.cancel') executor.stop(runId)
  signals.notify(runId)
  crashPoint('wake-up.after')
  // A decision needs somebody who acts on it; where that cannot be now, it stands all the same.
  if (type !== 'run.cancel') await takeUpRun(services, executor, asked)
  return answer
}

function repeat(isSame: boolean, answer: CommandAnswer): CommandAnswer {
  if (isSame) return answer
  throw new RunServerError({
    status: 422,
    code: 'idempotency_key_reused',
    message: 'This idempotency key belongs to another command. Make a new key for a new command.',
  })
}

async function apply(
  services: RunServices,
  transaction: RunServerTransaction,
  run: RunRow,
  command: AgentCommand,
): Promise<EventRow[]> {
  switch (command.type) {
    case 'approval.resolve':
      return resolveApproval(services, transaction, run, command.payload)
    case 'tool.retry':
      return retryTool(services, transaction, run, command.payload)
    case 'run.cancel': {
      await requireRunning(transaction, run)
      const ending = { type: 'cancelled' as const, reason: command.payload.reason }
      return endRun(transaction, { runId: run.runId, ending, now: services.now() })
    }
    default:
      return command satisfies never
  }
}
