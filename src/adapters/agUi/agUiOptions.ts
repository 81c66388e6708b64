import type { AgentEventFactory } from '../../protocol/createAgentEventFactory.ts'
import type { AgentEvent } from '../../protocol/agentEvent.ts'
import type { ApprovalDecision } from '../../protocol/payloads/approvalPayloads.ts'
import type { AgentTransport } from '../../provider/agentTransport.ts'
import type { AdapterHttpOptions } from '../support/adapterHttpOptions.ts'
import type { AgUiChunk } from './agUiChunk.ts'
import type { AgUiRequest } from './agUiRequest.ts'
import type { AgUiContextItem, AgUiTool } from './agUiWire.ts'
import type { ToolResultClassifier } from './classifyToolResult.ts'

/** What a person decided about an interrupt, before it is put in the wire's words. */
export interface AgUiDecision {
  readonly decision: Exclude<ApprovalDecision, 'expired'>
  /** What the person gave along: edited arguments, or an answer. */
  readonly data?: unknown
  /** Why the run was interrupted, in the runtime's word, such as `tool_call`. */
  readonly reason: string
  readonly toolCallId?: string | undefined
  readonly responseSchema?: unknown
  readonly metadata?: unknown
}

/** A request of the app's own making. */
export interface AgUiHttpRequest {
  readonly url: string
  readonly method?: string | undefined
  readonly headers?: Readonly<Record<string, string>> | undefined
  readonly body?: string | undefined
}

/** A decision in the wire's words. */
export interface AgUiAnswer {
  readonly status: 'resolved' | 'cancelled'
  readonly payload?: unknown
}

/** How a run that lost its wire is taken up again; AG-UI itself has no way. */
export interface AgUiResumeOptions {
  /** Makes the request that goes on after a cursor; GET where it has no body. Its headers go over the provider's. */
  request: (options: { threadId: string; runId: string; cursor: string }) => AgUiHttpRequest
  /** The key of the events' `metadata` that holds the cursor; without it the cursor is the event stream's `id:`. */
  metadataKey?: string | undefined
  /**
   * Whether the answer goes on after the cursor (the default), or replays the AG-UI run from its start: then what is
   * known is recognised by its ids, and only what is beyond it is new.
   */
  replay?: 'after' | 'all' | undefined
}

/** What stands between an AG-UI agent and the page. */
export interface AgUiMappingOptions {
  /** Tools that the page offers; a function is asked before each request. */
  tools?: readonly AgUiTool[] | (() => readonly AgUiTool[]) | undefined
  context?: readonly AgUiContextItem[] | (() => readonly AgUiContextItem[]) | undefined
  /** The shared state that a conversation begins with; `{}` by default. */
  initialState?: unknown
  forwardedProps?: Readonly<Record<string, unknown>> | undefined
  /** What is declared to the runtime; `1.0` by default, `false` says nothing, for strict runtimes of before 1.0. */
  protocolVersion?: string | false | undefined
  /**
   * Says who runs a tool. Without an answer the page runs what it offers and the runtime the rest; where the page
   * offers nothing, a call without a result at the run's end is the page's.
   */
  getToolOwner?: ((name: string) => 'client' | 'server' | undefined) | undefined
  /** Says whether a tool's result is a failure, which AG-UI leaves to convention. */
  classifyToolResult?: ToolResultClassifier | undefined
  /** Puts a decision about an interrupt in the runtime's own words. */
  toAnswer?: ((decision: AgUiDecision) => AgUiAnswer) | undefined
  /** Makes events of what the runtime sends under a name of its own. */
  mapCustom?:
    | ((
        event: { readonly type: 'CUSTOM' | 'RAW'; readonly name: string; readonly value: unknown },
        create: AgentEventFactory['create'],
      ) => readonly AgentEvent[])
    | undefined
}

/** Where an AG-UI agent is, and what it is told. */
export interface AgUiProviderOptions extends AdapterHttpOptions, AgUiMappingOptions {
  /** The agent's URL, which takes a RunAgentInput by POST. */
  url?: string | undefined
  /** What moves the events instead of HTTP, such as `fromAgUiObservable(…)`. */
  transport?: AgentTransport<AgUiRequest, AgUiChunk> | undefined
  /** `ag-ui` by default; two agents in one runtime need two ids. */
  id?: string | undefined
  /** The wire's name of a conversation; the session's id by default. */
  getThreadId?: ((sessionId: string) => string) | undefined
  resume?: AgUiResumeOptions | undefined
  /** The app's own endpoint that stops a run, as AG-UI has none; by POST. Without it runs cannot be cancelled. */
  stop?: ((options: { threadId: string; runId: string; reason?: string | undefined }) => AgUiHttpRequest) | undefined
  createMessageId?: (() => string) | undefined
}
