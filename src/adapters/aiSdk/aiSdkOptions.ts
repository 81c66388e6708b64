import type { AgentMessageContent } from '../../protocol/agentMessageContent.ts'
import type { AdapterHttpOptions } from '../support/adapterHttpOptions.ts'
import type { AiSdkFiles } from './aiSdkFiles.ts'
import type { AiSdkMessage } from './aiSdkMessage.ts'
import type { AiSdkTransientData } from './createAiSdkContext.ts'

/** What a person asks an AI SDK server for; plain JSON, so that a checkpoint can hold it. */
export interface AiSdkInput {
  /** What they say; absent where a run only makes the answer of an earlier one anew. */
  message?: AgentMessageContent | undefined
  /** The id of the person's message; made of the run's by default. */
  messageId?: string | undefined
  /** The message's `metadata`. */
  metadata?: unknown
  /** The run whose answer is made anew: it and what came after it are left out of the request, now and later. */
  regenerates?: string | undefined
  /** More fields of this request's body. */
  body?: Readonly<Record<string, unknown>> | undefined
}

/** A request as it is about to be sent. */
export interface AiSdkRequest {
  url: string
  headers: Readonly<Record<string, string>>
  body: {
    id: string
    messages: readonly AiSdkMessage[]
    trigger: 'submit-message' | 'regenerate-message'
    messageId?: string | undefined
    idempotencyKey: string
    [field: string]: unknown
  }
}

/** A run, as far as a URL can depend on it. */
export interface AiSdkRunInfo {
  readonly sessionId: string
  readonly runId: string
  /** The id of the answer's message. */
  readonly messageId: string
  /** The server's own id of the run, of its header `x-workflow-run-id`, where it says one. */
  readonly serverRunId?: string | undefined
}

/** What a provider for an AI SDK server is made with. */
export interface AiSdkProviderOptions extends AdapterHttpOptions {
  /** The provider's id; `ai-sdk` by default. */
  id?: string | undefined
  /** Where messages are posted; `/api/chat` by default. */
  api?: string | undefined
  /** More fields of every request's body; a function is asked before each one. */
  body?: Readonly<Record<string, unknown>> | ((session: { sessionId: string }) => Readonly<Record<string, unknown>>)
  /** Changes a request before it is sent, such as one that names only the last message. */
  prepareRequest?: ((request: AiSdkRequest) => AiSdkRequest | Promise<AiSdkRequest>) | undefined
  /** What was said before the session's first run, as the app's server has it. */
  getHistory?: ((session: { sessionId: string }) => readonly AiSdkMessage[]) | undefined
  /**
   * How the server lets a stream be taken up again: `replay`, from its beginning (`resumable-stream`), or `startIndex`,
   * after a number of chunks (`@ai-sdk/workflow`). By default it does not.
   */
  resume?: 'replay' | 'startIndex' | undefined
  /** Where; `{api}/{sessionId}/stream`, or `{api}/{serverRunId}/stream` with `startIndex`, by default. */
  getResumeUrl?: ((run: AiSdkRunInfo) => string) | undefined
  /** Where a run is stopped, which the AI SDK leaves to the app; without it there is no `run.cancel`. */
  getStopUrl?: ((run: AiSdkRunInfo) => string) | undefined
  /** Told of `transient` data parts, once each, also when a stream is replayed. */
  onTransientData?: ((data: AiSdkTransientData) => void) | undefined
  /**
   * Whether the server may take a step back (`reset-step`, from version 7 on): then reasoning stays open until its step
   * ends, so that it can be taken back too. `false` by default.
   */
  mayResetSteps?: boolean | undefined
  /** Finish reasons of which a run fails as `incomplete`; `other`, `unknown` and `interrupted` by default. */
  incompleteFinishReasons?: readonly string[] | undefined
  /** Where larger files go instead of the state; memory by default. */
  files?: AiSdkFiles | undefined
  /** The most characters of a `data:` URL that stays in the state; 16,384 by default. */
  maxInlineFileSize?: number | undefined
}
