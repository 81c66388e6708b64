import type { AnyReactAgentRuntime } from '../createAgentRuntime.ts'
import type { AgentLocale } from '../locale/agentLocale.ts'
import { enUS } from '../locale/enUS.ts'
import { useRunOutlook } from '../run/useRunOutlook.ts'
import { ApprovalCard } from './ApprovalCard.tsx'
import type { RenderApprovalData } from './approvalDataProps.ts'
import { useApproval } from './useApproval.ts'

/** What `Approval` is given. */
export interface ApprovalProps {
  agent: AnyReactAgentRuntime
  runId: string
  approvalId: string
  /** The app's own view of the data, which also edits it; JSON by default. A plain question has a form of its own. */
  renderData?: RenderApprovalData | undefined
  /** `enUS` by default. */
  locale?: AgentLocale | undefined
  /** The clock of the countdown, in milliseconds; `Date.now` by default. */
  now?: (() => number) | undefined
}

/**
 * Asks a person: what will be done, and the buttons to approve, reject or edit it; where the data is a plain question
 * (`readApprovalQuestion`), its options, a field and the buttons to answer or decline. It shows as decided what the
 * runtime said was decided, and has no live button once the run is over. Renders nothing where there is no such
 * approval.
 *
 * @example
 * <Approval agent={agent} runId="r1" approvalId="a1" renderData={({ value }) => <Diff change={value} />} />
 */
export function Approval({ agent, runId, approvalId, renderData, locale = enUS, now }: ApprovalProps) {
  const approval = useApproval(agent, { runId, approvalId })
  const outlook = useRunOutlook(agent, runId)
  if (!approval) return null
  return (
    <ApprovalCard
      source={{ kind: 'live', agent }}
      approval={approval}
      outlook={outlook}
      locale={locale}
      renderData={renderData}
      now={now}
    />
  )
}
