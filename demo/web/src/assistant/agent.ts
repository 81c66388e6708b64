import { createRunServerProvider } from 'redux-agent/adapters/run-server'
import { createAgentRuntime } from 'redux-agent/react'

/** The agent of this workspace: its run server answers on the page's own origin. */
export const agent = createAgentRuntime({ reducerPath: 'agent', providers: [createRunServerProvider()] })
