import type { AgentError } from '../../protocol/agentError.ts'
import { isRecord } from '../../protocol/predicates.ts'
import { serverErrorCode } from '../../transport/serverErrorCode.ts'

const retryable = /rate_limit|overloaded|server_error|unavailable|timeout|insufficient_system_resource|^(429|5\d\d)$/

/**
 * Makes of an error that a model service states what may stand in state: its literal code, and where it was stated. Its
 * words may repeat what a person wrote, so that they are not shown.
 */
export function toOpenAIError(stated: unknown, { adapter, chunk }: { adapter: string; chunk: number }): AgentError {
  const { code, type, status } = isRecord(stated) ? stated : {}
  const named = [code, type, status].map(readCode).find((value) => value !== undefined)
  const said = `${adapter}: the model service reported an error in chunk ${chunk}`
  if (named === undefined) return { code: 'provider_error', message: `${said}.` }
  const message = `${said} (${named}).`
  return { code: named, message, ...(retryable.test(named) && { retryable: true }) }
}

function readCode(value: unknown): string | undefined {
  const code = serverErrorCode.safeParse(typeof value === 'number' ? String(value) : value)
  return code.success ? code.data : undefined
}
