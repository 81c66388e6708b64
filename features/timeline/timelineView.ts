import type { ReactNode } from 'react'
import type { AgentArtifactState } from '../../src/state/entities/agentArtifactState.ts'
import type { AgentMessageState } from '../../src/state/entities/agentMessageState.ts'
import type { AgentToolCallState } from '../../src/state/entities/agentToolCallState.ts'
import type { RenderApprovalData } from '../approval/approvalDataProps.ts'
import type { AgentLocale } from '../locale/agentLocale.ts'
import type { ItemStatus } from '../view/itemStatus.ts'
import type { TimelineSource } from './timelineSource.ts'

/** The app's own views within a timeline. Give stable functions: another one renders every row again. */
export interface TimelineSlots {
  /** Shows a message's content, such as Markdown; the row around it stays. */
  renderMessage?: ((message: AgentMessageState, shown: { status: ItemStatus }) => ReactNode) | undefined
  /** Shows a tool call instead of the card. */
  renderToolCall?: ((toolCall: AgentToolCallState, shown: { status: ItemStatus }) => ReactNode) | undefined
  /** Shows and edits an approval's data. */
  renderApprovalData?: RenderApprovalData | undefined
  /** Offers to begin anew what a run that has ended left undone, such as by `onReload`; not offered by default. */
  onRegenerate?: ((runId: string) => void) | undefined
  /** Shows an artifact's content. */
  renderArtifact?: ((artifact: AgentArtifactState, shown: { status: ItemStatus }) => ReactNode) | undefined
}

/** What all rows of a timeline share. */
export interface TimelineView extends TimelineSlots {
  readonly source: TimelineSource
  readonly locale: AgentLocale
  readonly now?: (() => number) | undefined
}
