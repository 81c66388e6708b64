import type { ApprovalRow } from '../store/rows.ts'
import type { ToolApproval } from '../tools/agentTool.ts'

/** The `data` of an approval's events: what a person sees and decides on. */
export function describeApproval(
  approval: Pick<ToolApproval<unknown>, 'isQuestion'> | undefined,
  { toolName, arguments: input, preview }: Pick<ApprovalRow, 'toolName' | 'arguments' | 'preview'>,
) {
  const isQuestion = approval?.isQuestion === true
  return { toolName, arguments: input, preview, ...(isQuestion ? { isQuestion } : { confirmationRequired: true }) }
}
