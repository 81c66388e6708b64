import type { ApprovalRow, ChangePreview } from '../store/rows.ts'
import type { AgentTool, ToolApproval } from '../tools/agentTool.ts'
import { waitForRun } from './waitForRun.ts'
import type { RunContext } from './runContext.ts'

/** Asks a person whether the tool may do what its preview shows, and waits until they have decided. */
export async function askApproval(
  context: RunContext,
  options: {
    tool: AgentTool
    approval: ToolApproval<unknown>
    toolCallId: string
    input: unknown
    preview: ChangePreview
  },
): Promise<ApprovalRow> {
  const { services, run, recorder, signal } = context
  const { tool, approval, toolCallId, input, preview } = options
  const { risk, editable } = approval
  const { store, signals } = services
  const { runId } = run
  const approvalId = services.createId()
  const version = 1
  await recorder.commit(async (transaction) => {
    const row = { runId, approvalId, toolCallId, toolName: tool.name, arguments: input, preview, editable, version }
    await transaction.approvals.insert({ ...row, status: 'waiting', resolvedSeq: null })
    await transaction.runs.update(runId, { waitingSince: services.now() })
    const description = approval.describe(preview)
    const data = { toolName: tool.name, arguments: input, preview }
    return [
      {
        type: 'approval.requested',
        payload: { approvalId, toolCallId, description, risk, editable, version, data },
      },
    ]
  })
  const decided = await waitForRun({
    runId,
    signals,
    signal,
    read: () =>
      store.transaction(async (transaction) => {
        const row = await transaction.approvals.get(runId, approvalId)
        return row === undefined || row.status === 'waiting' ? undefined : row
      }),
  })
  // Without a timeout the wait ends by a decision or throws.
  return decided as ApprovalRow
}
