import { isRecord } from '../../protocol/predicates.ts'

/** What a person decided of an approval, or gave as the output of a client tool. */
export interface AiSdkAnswer {
  readonly approvalId: string
  readonly decision: 'approved' | 'rejected' | 'modified'
  readonly data?: unknown
}

/** Whether the tool may run, or has its output. */
export const isGranted = ({ decision }: AiSdkAnswer) => decision !== 'rejected'

/** Why a person decided so: `data` itself where it is text, or its `reason`. */
export function readReason({ data }: AiSdkAnswer): string | undefined {
  const reason = isRecord(data) ? data.reason : data
  return typeof reason === 'string' && reason !== '' ? reason : undefined
}

/** The output of a client tool: the data, or the bare word where there is none. */
export const toOutput = ({ data }: AiSdkAnswer): unknown => (data === undefined ? 'approved' : data)

/** What the model is told of a client tool that a person declined. */
export const toRefusal = (answer: AiSdkAnswer): string => readReason(answer) ?? 'The user declined.'
