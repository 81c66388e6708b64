import type { AgentRuntime } from '../store/createAgentRuntime.ts'

/** What the hooks need of a runtime, at whatever path it stands. */
export type HookRuntime = Pick<AgentRuntime<string>, 'reducerPath' | 'selectors' | 'actions'>
