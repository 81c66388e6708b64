export { createFaultyFetch } from './createFaultyFetch.ts'
export type { FetchFaults } from './createFaultyFetch.ts'
export { createFaultyTransport } from './createFaultyTransport.ts'
export type { TransportConnection, TransportFaults } from './createFaultyTransport.ts'
export { createGate } from './createGate.ts'
export type { Gate } from './createGate.ts'
export { createScriptedProvider } from './createScriptedProvider.ts'
export type { ScriptedProvider, ScriptedProviderOptions } from './createScriptedProvider.ts'
export type { ScriptedChunk, ScriptedStep } from './playScript.ts'
export { validateAgentProviderCommands } from './validateAgentProviderCommands.ts'
export type {
  AgentProviderCommandSample,
  ValidateAgentProviderCommandsOptions,
} from './validateAgentProviderCommands.ts'
export type { AgentProviderCommandIssue, AgentProviderCommandIssueCode } from './agentProviderCommandIssue.ts'
export { validateAgentProviderEvents } from './validateAgentProviderEvents.ts'
export type { AgentProviderEventIssue, AgentProviderEventIssueCode } from './agentProviderEventIssue.ts'
