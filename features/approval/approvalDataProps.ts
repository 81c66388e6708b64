import type { ReactNode } from 'react'
import type { AgentApprovalState } from '../../src/state/entities/agentApprovalState.ts'

/** What an app's own view of an approval's data gets. */
export interface ApprovalDataProps {
  readonly approval: AgentApprovalState
  /** The data: as asked for, as edited so far, or as decided. */
  readonly value: unknown
  /** Takes the whole data anew; ignored unless `isEditing`. */
  readonly onChange: (value: unknown) => void
  readonly isEditing: boolean
}

/** Shows an approval's data, and edits it while `isEditing`. */
export type RenderApprovalData = (props: ApprovalDataProps) => ReactNode
