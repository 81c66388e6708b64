import {
  createAgentRuntime as createStoreAgentRuntime,
  type AgentRuntime,
  type AgentRuntimeOptions,
} from '../store/createAgentRuntime.ts'
import type { AgentHooks } from './agentHooks.ts'
import { useApproval } from './approval/useApproval.ts'
import { createUseChatProvider } from './chat-provider/createUseChatProvider.ts'
import { createUseEitherChat } from './chat-provider/createUseEitherChat.ts'
import { createUseXChat } from './chat/createUseXChat.ts'
import { useConnection } from './connection/useConnection.ts'
import { useConnectionState } from './connection/useConnectionState.ts'
import { createProviderCapabilities, type ProviderCapabilities } from './run/createProviderCapabilities.ts'
import { useAgentActions } from './run/useAgentActions.ts'
import { useAgentRun } from './run/useAgentRun.ts'
import { useCommandState } from './run/useCommandState.ts'
import { useCommandSupport } from './run/useCommandSupport.ts'
import { useAgentTimeline } from './timeline/useAgentTimeline.ts'
import { useToolCall } from './tool-call/useToolCall.ts'

/** A runtime with its hooks. */
export interface ReactAgentRuntime<Path extends string>
  extends AgentRuntime<Path>, AgentHooks, Pick<ProviderCapabilities, 'supportsCommand'> {}

/** A runtime at any path: what the components take. */
export type AnyReactAgentRuntime = ReactAgentRuntime<string>

/**
 * Makes an agent runtime that also carries the hooks bound to it, as `createApi` of RTK Query's React entry does
 * (design, section 3). The hooks need react-redux's Provider above them.
 *
 * @example
 * export const agent = createAgentRuntime({ providers: [supportAgent] })
 * const { messages, onRequest } = agent.useXChat({ provider: 'support', conversationKey: 'c1' })
 */
export function createAgentRuntime<const Path extends string = 'agent'>(
  options: AgentRuntimeOptions<Path> = {},
): ReactAgentRuntime<Path> {
  const agent = createStoreAgentRuntime(options)
  const capabilities = createProviderCapabilities(options.providers ?? [])
  const { supportsCommand } = capabilities
  return {
    ...agent,
    supportsCommand,
    useXChat: createUseEitherChat(createUseXChat(agent, capabilities), createUseChatProvider()),
    useToolCall: (ids) => useToolCall(agent, ids),
    useApproval: (ids) => useApproval(agent, ids),
    useAgentTimeline: (of) => useAgentTimeline(agent, of),
    useAgentRun: (ids) => useAgentRun(agent, ids),
    useConnection: (of) => useConnection(agent, of),
    useConnectionState: (of) => useConnectionState(agent, of),
    useAgentActions: () => useAgentActions(agent),
    useCommandState: (action) => useCommandState(agent, action),
    useCommandSupport: (action) => useCommandSupport({ ...agent, supportsCommand }, action),
  }
}
