import type { ApprovalDecision } from '../protocol/payloads/approvalPayloads.ts'

/** What a moment of a trace is about. */
export type AgentTraceMomentKind = 'tool' | 'approval' | 'checkpoint'

interface MomentBase {
  readonly sequence: number
}

/** A tool was called, or its call ended. */
export interface AgentToolMoment extends MomentBase {
  readonly kind: 'tool'
  readonly name: string
  readonly type: 'tool.requested' | 'tool.completed' | 'tool.failed' | 'tool.cancelled'
}

/** A person was asked, or it was decided. */
export interface AgentApprovalMoment extends MomentBase {
  readonly kind: 'approval'
  readonly description: string
  /** Whether it is a plain question, which is answered rather than approved. */
  readonly isQuestion: boolean
  /** None while it is asked. */
  readonly decision?: ApprovalDecision | undefined
  /** Whether it is `expired` only because the run ended before an answer: no time was up. */
  readonly isEndedByRun?: boolean | undefined
}

/** The runtime could have gone on from here. */
export interface AgentCheckpointMoment extends MomentBase {
  readonly kind: 'checkpoint'
  /** What the checkpoint was written for, in the runtime's own word. */
  readonly checkpointKind: string
}

/** A point of a run that is worth a look. */
export type AgentTraceMoment = AgentToolMoment | AgentApprovalMoment | AgentCheckpointMoment
