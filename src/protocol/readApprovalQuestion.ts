import { isFilled, isRecord } from './predicates.ts'

/** An answer that a question offers: `label` is shown, `value` is sent. */
export interface ApprovalQuestionOption {
  readonly value: string
  readonly label: string
}

/** A plain question that a runtime asks: what the person says is the answer, not leave to do something. */
export interface ApprovalQuestion {
  /** Its words, where the data has them; else they are the approval's `description`. */
  readonly question: string | undefined
  /** At most 50, each once; an answer in other words is as good. */
  readonly options: readonly ApprovalQuestionOption[]
  /** What was answered, once it was. */
  readonly answer: string | undefined
}

const maxOptions = 50

/**
 * Gives the question that an approval's `data` is, `{ isQuestion: true, question?, options?, answer? }` with options as
 * texts or `{ value, label? }`, or undefined where it is none. Its answer is `{ answer }`, as the `data` of
 * `approval.resolve`.
 *
 * @experimental
 * @example
 * const question = readApprovalQuestion(approval.data)
 * if (question) resolveApproval({ runId, approvalId, decision: 'modified', data: { answer: 'Friday' } })
 */
export function readApprovalQuestion(data: unknown): ApprovalQuestion | undefined {
  if (!isRecord(data) || data.isQuestion !== true) return undefined
  const listed = Array.isArray(data.options) ? data.options.slice(0, maxOptions) : []
  const options = new Map(listed.flatMap((option) => readOption(option) ?? []).map((option) => [option.value, option]))
  return {
    question: isFilled(data.question) ? data.question : undefined,
    options: [...options.values()],
    answer: isFilled(data.answer) ? data.answer : undefined,
  }
}

function readOption(option: unknown): ApprovalQuestionOption | undefined {
  if (isFilled(option)) return { value: option, label: option }
  if (!isRecord(option) || !isFilled(option.value)) return undefined
  return { value: option.value, label: isFilled(option.label) ? option.label : option.value }
}
