import { AdapterError } from '../support/adapterError.ts'
import { runServerAdapter as adapter } from './runServerAdapter.ts'

/** `conflict`: another decision or state stands (409); `refused`: the server will not do it. */
export type RunServerCommandErrorCode = 'conflict' | 'refused'

/** The run server's refusal of a command; sending it again changes nothing. */
export class RunServerCommandError extends AdapterError<RunServerCommandErrorCode> {
  readonly status: number
  /** The literal code of the server's own error, where its answer had one. */
  readonly serverCode: string | undefined
  /** The decision that stands, where the command came after another one. */
  readonly decision: string | undefined

  /** `cause` tells what of the server's answer was not understood. */
  constructor(
    code: RunServerCommandErrorCode,
    options: { status: number; serverCode?: string | undefined; decision?: string | undefined; cause?: unknown },
  ) {
    const { status, serverCode, decision, cause } = options
    super({ name: 'RunServerCommandError', adapter, code, message: describe(code, { status, serverCode, decision }), cause })
    this.status = status
    this.serverCode = serverCode
    this.decision = decision
  }
}

function describe(
  code: RunServerCommandErrorCode,
  { status, serverCode, decision }: Pick<RunServerCommandError, 'status' | 'serverCode' | 'decision'>,
): string {
  if (decision !== undefined) return `It was decided already: ${decision}.`
  const reason = serverCode ?? `status ${status}`
  return code === 'conflict'
    ? `The run has moved on, so the command no longer fits it (${reason}).`
    : `The run server refused the command (${reason}).`
}
