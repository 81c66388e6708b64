import { isRecord } from '../../protocol/predicates.ts'
import { AgentTransportError } from '../../transport/agentTransportError.ts'
import { serverErrorCode } from '../../transport/serverErrorCode.ts'
import { runServerAdapter as adapter } from './runServerAdapter.ts'
import { isRunServerFrame, type RunServerFrame } from './runServerFrame.ts'

/** What is understood of a refusal's body, which a proxy may have written; `cause` says what of it is not. */
export function readRunServerRefusal(body: unknown): {
  events: readonly RunServerFrame[]
  serverCode: string | undefined
  decision: string | undefined
  cause: AgentTransportError | undefined
} {
  const fields = isRecord(body) ? body : {}
  const stated: readonly unknown[] = Array.isArray(fields.events) ? fields.events : []
  // One that is missing is asked for again by who waits for it in its turn.
  const events = stated.filter(isRunServerFrame)
  const [serverCode, decision] = [fields.code, fields.decision].map((value) => {
    const code = serverErrorCode.safeParse(value)
    return code.success ? code.data : undefined
  })
  const unread = Object.entries({
    code: serverCode === undefined,
    decision: decision === undefined,
    events: !Array.isArray(fields.events) || events.length < stated.length,
  }).flatMap(([name, isUnread]) => (isUnread && (fields[name] ?? undefined) !== undefined ? [name] : []))
  const message = `${adapter}: The refusal is understood but for its ${unread.join(' and its ')}.`
  const cause = unread.length > 0 ? new AgentTransportError('invalid_frame', message, { adapter }) : undefined
  return { events, serverCode, decision, cause }
}
