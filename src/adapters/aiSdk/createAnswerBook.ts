import type { AiSdkAnswer } from './aiSdkAnswer.ts'

/** Answers that wait for the rest of their step's, since the AI SDK takes them all in one request. */
export interface AnswerBook {
  put(runId: string, answer: AiSdkAnswer): void
  /** Gives the answers to these approvals, where each has one. */
  get(runId: string, approvalIds: readonly string[]): readonly AiSdkAnswer[] | undefined
  drop(runId: string, approvalId: string): void
  /** Forgets a run's answers: they were sent, or the run is over. */
  clear(runId: string): void
}

export function createAnswerBook(): AnswerBook {
  const byRun = new Map<string, Map<string, AiSdkAnswer>>()
  return {
    put(runId, answer) {
      const ofRun = byRun.get(runId) ?? new Map<string, AiSdkAnswer>()
      byRun.set(runId, ofRun.set(answer.approvalId, answer))
    },
    get(runId, approvalIds) {
      const answers = approvalIds.map((id) => byRun.get(runId)?.get(id))
      const isWhole = answers.length > 0 && answers.every((answer) => answer !== undefined)
      return isWhole ? (answers as AiSdkAnswer[]) : undefined
    },
    drop(runId, approvalId) {
      const ofRun = byRun.get(runId)
      ofRun?.delete(approvalId)
      if (ofRun?.size === 0) byRun.delete(runId)
    },
    clear: (runId) => void byRun.delete(runId),
  }
}
