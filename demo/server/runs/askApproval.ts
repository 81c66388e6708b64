import type { ApprovalRow, ChangePreview } from '../store/rows.ts'
import type { AgentTool, ToolApproval } from '../tools/agentTool.ts'
import { waitForRun } from './waitForRun.ts'
import type { RunContext } from './runContext.ts'

/**
 * Asks a person whether the tool may do what its preview shows, and waits until they have decided. Where the run was
 * interrupted after it had asked, that question stands, and so does its answer.
 */
export async function askApproval(
  context: RunContext,
  options: {
    tool: AgentTool
    approval: ToolApproval<unknown>
    toolCallId: string
    input: unknown
    createPreview(): Promise<ChangePreview>
  },
): Promise<ApprovalRow> {
  const { services, run, signal } = context
  const { store, signals } = services
  const { runId } = run
  const asked = await store.read(({ approvals }) => approvals.findByToolCall(runId, options.toolCallId))
  const approvalId = asked?.approvalId ?? (await request(context, options))
  const decided = await waitForRun({
    runId,
    signals,
    signal,
    read: () =>
      store.read(async (transaction) => {
        const row = await transaction.approvals.get(runId, approvalId)
        return row === undefined || row.status === 'waiting' ? undefined : row
      }),
  })
  // Without a timeout the wait ends by a decision or throws.
  return decided as ApprovalRow
}

async function request({ services, run, recorder }: RunContext, options: Parameters<typeof askApproval>[1]) {
  const { tool, approval, toolCallId, input } = options
  const { risk, editable } = approval
  const { runId } = run
  const preview = await options.createPreview()
  const approvalId = services.createId()
  const version = 1
  const expiresAt = services.now() + services.settings.approvalMs
  await recorder.commit(async (transaction) => {
    const row = { runId, approvalId, toolCallId, toolName: tool.name, arguments: input, preview, editable, version }
    await transaction.approvals.insert({ ...row, status: 'waiting', expiresAt, answer: null, resolvedSeq: null })
    await transaction.runs.update(runId, { waitingSince: services.now() })
    const description = approval.describe(preview)
    const data = { toolName: tool.name, arguments: input, preview }
    return [
      {
        type: 'approval.requested',
        payload: { approvalId, toolCallId, description, risk, editable, version, expiresAt, data },
      },
    ]
  })
  return approvalId
}
