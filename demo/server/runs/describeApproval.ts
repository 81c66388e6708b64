import type { ApprovalRow } from '../store/rows.ts'
import type { ToolApproval } from '../tools/agentTool.ts'

/** The `data` of an approval's events: what a person sees and decides on. A question says what it asks and offers. */
export function describeApproval(
  approval: Pick<ToolApproval<unknown>, 'ask'> | undefined,
  { toolName, arguments: input, preview }: Pick<ApprovalRow, 'toolName' | 'arguments' | 'preview'>,
) {
  const asked = approval?.ask?.(input)
  return { toolName, arguments: input, preview, ...(asked ? { isQuestion: true, ...asked } : { confirmationRequired: true }) }
}
