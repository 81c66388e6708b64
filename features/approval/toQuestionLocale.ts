import type { AgentLocale } from '../locale/agentLocale.ts'

/** The words of an approval where it is a plain question: it is answered or declined, not approved or rejected. */
export function toQuestionLocale(locale: AgentLocale): AgentLocale {
  const { needed, label, send: approve, decline: reject, decision, ended, unsupported } = locale.question
  return { ...locale, approval: { ...locale.approval, needed, label, approve, reject, decision, ended, unsupported } }
}
