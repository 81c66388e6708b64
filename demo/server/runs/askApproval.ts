import type { ApprovalRow, ChangePreview } from '../store/rows.ts'
import type { AgentTool, ToolApproval } from '../tools/agentTool.ts'
import { describeApproval } from './describeApproval.ts'
import { expireApproval } from './expireApproval.ts'
import { waitForRun } from './waitForRun.ts'
import type { RunContext } from './runContext.ts'

/**
 * Asks a person whether the tool may do what its preview shows, or a plain question, and waits until they have decided
 * or the time is up. Where the run was interrupted after it had asked, that question stands, and so does its answer.
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
  const { store, signals, setTimer, now } = services
  const { runId } = run
  const asked = await store.read(({ approvals }) => approvals.findByToolCall(runId, options.toolCallId))
  const { approvalId, expiresAt } = asked ?? (await request(context, options))
  for (;;) {
    const decided = await waitForRun({
      runId,
      signals,
      signal,
      timeout: { milliseconds: Math.max(expiresAt - now(), 0), setTimer },
      read: () =>
        store.read(async (transaction) => {
          const row = await transaction.approvals.get(runId, approvalId)
          return row === undefined || row.status === 'waiting' ? undefined : row
        }),
    })
    if (decided !== undefined) return decided
    // Whoever decided just now was in time: then there is nothing to expire, and the next look finds the decision.
    if (now() < expiresAt) continue
    await context.recorder.commit(async (transaction) => {
      const row = await transaction.approvals.get(runId, approvalId)
      return row?.status === 'waiting' ? expireApproval(transaction, { approval: row, now: now() }) : []
    })
  }
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
    const data = describeApproval(approval, { toolName: tool.name, arguments: input, preview })
    return [
      {
        type: 'approval.requested',
        payload: { approvalId, toolCallId, description, risk, editable, version, expiresAt, data },
      },
    ]
  })
  return { approvalId, expiresAt }
}
