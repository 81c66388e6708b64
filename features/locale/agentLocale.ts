import type { AgentEntityStatus } from '../../src/state/entities/agentEntityBase.ts'
import type { ApprovalDecision } from '../../src/protocol/payloads/approvalPayloads.ts'
import type { AgentTraceMomentKind } from '../../src/trace/agentTraceMoment.ts'
import type { AgentConnectionState } from '../../store/connection/agentRunConnection.ts'

/** All words that the components show: `enUS`, `zhCN`, or the app's own. */
export interface AgentLocale {
  /**
   * An entity's status; `asked` is a tool call that an open approval asks about, `ended` what was open when its run
   * ended, `detached` what was when its wire was closed here, `lost` what is while its wire is lost.
   */
  status: Readonly<Record<AgentEntityStatus | 'asked' | 'ended' | 'detached' | 'lost', string>>
  /** A speaker by role; a role without a word is shown as it is. */
  role: Readonly<Record<string, string>>
  connection: Readonly<Record<AgentConnectionState, string>>
  /** What goes with a connection's word, the first argument. */
  connectionDetail: {
    attempt: (state: string, of: { attempt: number; maxAttempts: number }) => string
    /** The next attempt waits for the network. */
    offline: (state: string) => string
    /** The run's last event when its wire was taken up again. */
    resumed: (state: string, sequence: number) => string
    /** It is no wire that failed: what was stored of the session could not be read, or is not used. */
    notRestored: string
  }
  timeline: string
  emptyTimeline: string
  reasoning: string
  redactedReasoning: string
  showAll: (characters: number) => string
  error: string
  /** Why something was cancelled, by the runtime's own word; a reason without words is shown as it is. */
  reasons: Readonly<Record<string, string>>
  tool: {
    label: (name: string) => string
    /** What a tool does, by its name; a tool without words is shown by its name. */
    names: Readonly<Record<string, string>>
    attempt: (attempt: number, name: string) => string
    arguments: string
    result: string
    retry: string
    retrying: string
    retried: string
    /** Begins anew what a run that has ended left undone. */
    regenerate: string
  }
  approval: {
    /** Names a card that waits for a person; `label` one that does not. */
    needed: string
    label: string
    /** How much is at stake; a risk without a word is shown as it is. */
    risk: Readonly<Record<string, string>>
    details: string
    approve: string
    reject: string
    edit: string
    approveChanges: string
    discardChanges: string
    editor: string
    invalidJson: string
    /** Time that is left, in whole seconds. */
    expiresIn: (seconds: number) => string
    timeIsUp: string
    submitting: string
    /** The answer was taken, and the fact has not come yet. */
    sent: string
    decision: Readonly<Record<ApprovalDecision, string>>
    ended: string
    /** The provider takes no answers from here. */
    unsupported: string
  }
  /** An approval that is a plain question has these words in place of the approval's. */
  question: {
    /** Names a card that waits for an answer; `label` one that does not. */
    needed: string
    label: string
    options: string
    /** The choice of none of the options. */
    otherWords: string
    /** The field for an answer. */
    answer: string
    /** Names what was answered. */
    givenAnswer: string
    send: string
    decline: string
    decision: Readonly<Record<ApprovalDecision, string>>
    ended: string
    /** The provider takes no answers from here. */
    unsupported: string
  }
  command: {
    failed: (message: string) => string
    /** Another decision stands; it is given as in `approval.decision`. */
    decided: (decision: string) => string
    /** Why a wish failed or was refused, by the error's code; an error without a word is shown by its message. */
    reasons: Readonly<Record<string, string>>
    tryAgain: string
  }
  task: {
    label: (title: string) => string
    progress: (percent: number) => string
    result: string
  }
  artifact: {
    label: (name: string) => string
    content: string
  }
  attachment: (kind: string) => string
  /** What a replay of a run says; a moment is a tool call, an approval or a checkpoint. */
  replay: {
    label: string
    controls: string
    position: string
    /** The slider's help, which names its keys. */
    keys: string
    /** Where a replay stands: `event` is the newest event's type. */
    place: (of: { sequence: number; last: number; event: string }) => string
    beforeStart: string
    empty: string
    play: string
    pause: string
    previousEvent: string
    nextEvent: string
    previousMoment: string
    nextMoment: string
    speed: string
    moments: string
    noMoments: string
    /** Names a group of moments. */
    kinds: Readonly<Record<AgentTraceMomentKind, string>>
    /** What a moment of a tool is, by the name that is shown of it. */
    toolCalled: (name: string) => string
    toolEnded: (name: string, status: string) => string
    /** A checkpoint by its kind; a kind without a word is shown as it is. */
    checkpointKinds: Readonly<Record<string, string>>
    /** The latest checkpoint, from where the run could have gone on. */
    checkpoint: (kind: string, sequence: number) => string
    noCheckpoint: string
    /** How many items are not shown, as there are so many. */
    hidden: (count: number) => string
    /** Which of many moments are listed. */
    range: (of: { from: number; to: number; count: number }) => string
    /** Said where an approval is shown as it waited. */
    decided: (decision: string) => string
    undecided: string
    /** What became of an approval that closed because its run ended. */
    unanswered: string
    retriedLater: string
    /** How many events broke the protocol's rules and were left out. */
    refused: (count: number) => string
  }
  /** What a screen reader says once something has finished or needs the person. */
  announce: {
    finished: (name: string, status: string) => string
    approvalNeeded: (description: string) => string
    questionAsked: (question: string) => string
  }
}
