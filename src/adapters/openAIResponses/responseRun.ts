import type { OpenEntity } from '../support/closeEntity.ts'
import type { OpenAIResponsesInput } from './openAIResponsesInput.ts'

/** Where an approval comes from, which is what its answer needs. */
export interface ApprovalOrigin {
  readonly responseId: string
  /** The request's item, as a service that stores nothing must be told it again. */
  readonly item: Readonly<Record<string, unknown>>
  /** Calls of the same response that nobody answers. */
  readonly handed: readonly { readonly id: string; readonly type: string; readonly callId?: string | undefined }[]
}

/**
 * What a provider keeps of a run while it goes on, beside the state: that holds all that outlives a reload.
 */
export interface ResponseRun {
  input: OpenAIResponsesInput | undefined
  responseId: string | undefined
  /** The last sequence that was given. */
  lastSequence: number
  /** Whether nothing more is told of it by its wire: it has ended, or its cancellation stands. */
  isSilent: boolean
  /** Approvals that wait, as far as this page has seen them come. */
  readonly approvals: Map<string, ApprovalOrigin>
  /** Answers that wait for the others of their response. */
  readonly decisions: Map<string, boolean>
  /** Approvals whose answers are on their way, or were taken: they are not answered again. */
  readonly sent: Set<string>
  getOpen: () => readonly OpenEntity[]
}

export const createResponseRun = (): ResponseRun => ({
  input: undefined,
  responseId: undefined,
  lastSequence: -1,
  isSilent: false,
  approvals: new Map(),
  decisions: new Map(),
  sent: new Set(),
  getOpen: () => [],
})
