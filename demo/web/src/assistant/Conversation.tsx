import { memo, type ReactNode } from 'react'
import { AgentTimeline, type ApprovalDataProps } from 'redux-agent/react'
import { useAppSelector } from '../app/useAppSelector.ts'
import { agent } from './agent.ts'
import { ApprovalPreview } from './ApprovalPreview.tsx'
import { assistantLocale } from './assistantLocale.ts'
import { renderMessage } from './renderMessage.tsx'
import { RunStatus } from './RunStatus.tsx'
import { selectRunIds } from './selectRunIds.ts'

interface ConversationProps {
  readonly sessionId: string
  readonly canRegenerate: boolean
  readonly onRegenerate: (runId: string) => void
}

const renderApprovalData = (props: ApprovalDataProps): ReactNode => <ApprovalPreview {...props} />

/** All runs of the session, each with what it did and how it stands. */
export const Conversation = memo(function Conversation(props: ConversationProps) {
  const { sessionId, canRegenerate, onRegenerate } = props
  const runIds = useAppSelector((state) => selectRunIds(state, sessionId))
  return runIds.map((runId) => (
    <div key={runId} className="assistant-run">
      <AgentTimeline
        agent={agent}
        sessionId={sessionId}
        runId={runId}
        empty={null}
        locale={assistantLocale}
        renderMessage={renderMessage}
        renderApprovalData={renderApprovalData}
        onRegenerate={onRegenerate}
      />
      <RunStatus runId={runId} canRegenerate={canRegenerate} onRegenerate={onRegenerate} />
    </div>
  ))
})
