import type { ReconnectPlan } from './agentReconnectOptions.ts'

/**
 * What becomes of a lost wire: `retry` after a wait, `resend` the run's first request at once, `refused` where the
 * server does not go on after the cursor, `final` where there is nothing to try, `spent` where enough was tried.
 */
export type LossVerdict = 'retry' | 'resend' | 'refused' | 'final' | 'spent'

/** A loss, as far as it matters to what becomes of it. */
export interface JudgedLoss {
  /** Whether `classifyError` calls it worth another try. */
  isRetryable: boolean
  /** Whether it is the refusal of the cursor that the wire was opened with. */
  isRefusal: boolean
  /** Whether there is a request that may be sent again: a resume, or the first one where that is safe. */
  canTryAgain: boolean
  /** Whether the run's first request may take the place of a refused cursor: nothing of the run was ever seen. */
  canResend: boolean
  /** Whether the wire brought something new. */
  hasProgressed: boolean
  isOnline: boolean
}

/** Judges the losses of one run's wire, one after the other. */
export interface LossJudge {
  judge(loss: JudgedLoss): LossVerdict
  /** How many attempts in a row are spent, the one that comes next included. */
  getSpent(): number
  restart(): void
  /** The next attempt is made before its time, as something woke it: that is no sign that the budget is too small. */
  giveBack(): void
}

/** Makes a judge. Progress gives the whole budget back, and what fails while the host is offline spends nothing. */
export function createLossJudge(plan: ReconnectPlan): LossJudge {
  let spent = 0
  let hasResent = false
  return {
    getSpent: () => spent,
    restart: () => void (spent = 0),
    giveBack: () => void (spent = Math.max(0, spent - 1)),
    judge({ isRetryable, isRefusal, canTryAgain, canResend, hasProgressed, isOnline }) {
      if (hasProgressed) spent = 0
      if (isRefusal && !isRetryable) {
        if (!canResend || hasResent) return 'refused'
        hasResent = true
        return 'resend'
      }
      if (!isRetryable || !plan || !canTryAgain) return 'final'
      if (isOnline) spent += 1
      return spent > plan.maxAttempts ? 'spent' : 'retry'
    },
  }
}
