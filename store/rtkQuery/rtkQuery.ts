export { agentEndpoints } from './agentEndpoints.ts'
export type { AgentEndpoints, AgentSendCommandArg, AgentStartRunArg } from './agentEndpoints.ts'
export type { AgentEndpointError } from './agentEndpointError.ts'
export type {
  AgentEndpointArgs,
  AgentEndpointRequests,
  AgentEndpointResponses,
  AgentEndpointsOptions,
} from './agentEndpointsOptions.ts'
export type {
  AgentConversation,
  AgentConversationsPage,
  AgentConversationSummary,
  AgentFollowedRun,
  AgentHistoryPage,
  AgentRecordedRun,
  AgentRecordedRunStatus,
  AgentRunEventsPage,
} from './agentReadModel.ts'
export { providerEndpoint } from './providerEndpoint.ts'
export type { AgentProviderEndpointArg, AgentProviderEndpointOptions } from './providerEndpoint.ts'
