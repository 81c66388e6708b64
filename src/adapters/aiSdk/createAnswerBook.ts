import { createRunCache } from '../support/createRunCache.ts'
import type { AiSdkAnswer } from './aiSdkAnswer.ts'

/** All answers of a step, and the key of the request that tells them: the latest answer's. */
export interface AiSdkAnswers {
  readonly answers: readonly AiSdkAnswer[]
  readonly idempotencyKey: string
}

/** Answers that wait for the rest of their step's, since the AI SDK takes them all in one request. */
export interface AnswerBook {
  put(runId: string, answer: AiSdkAnswer, idempotencyKey: string): void
  /** Gives the answers to these approvals, where each has one. */
  get(runId: string, approvalIds: readonly string[]): AiSdkAnswers | undefined
  drop(runId: string, approvalId: string): void
  /** Forgets those of a run's answers that do not count any more. */
  keep(runId: string, counts: ((approvalId: string) => boolean) | undefined): void
  /** Forgets a run's answers: they were sent, or the run is over. */
  clear(runId: string): void
}

export function createAnswerBook(): AnswerBook {
  const byRun = createRunCache(() => ({ key: '', answers: new Map<string, AiSdkAnswer>() }))
  return {
    put(runId, answer, idempotencyKey) {
      const ofRun = byRun.open(runId)
      ofRun.answers.set(answer.approvalId, answer)
      ofRun.key = idempotencyKey
    },
    get(runId, approvalIds) {
      const ofRun = byRun.find(runId)
      const answers = approvalIds.flatMap((id) => ofRun?.answers.get(id) ?? [])
      const isWhole = answers.length > 0 && answers.length === approvalIds.length
      return ofRun && isWhole ? { answers, idempotencyKey: ofRun.key } : undefined
    },
    drop(runId, approvalId) {
      const answers = byRun.find(runId)?.answers
      answers?.delete(approvalId)
      if (answers?.size === 0) byRun.forget(runId)
    },
    keep(runId, counts = () => true) {
      const answers = byRun.find(runId)?.answers
      for (const approvalId of answers?.keys() ?? []) if (!counts(approvalId)) answers!.delete(approvalId)
    },
    clear: byRun.forget,
  }
}
