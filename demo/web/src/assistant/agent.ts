import { createPersistCheckpointStorage, createWebStorage } from 'redux-agent'
import { createRunServerProvider } from 'redux-agent/adapters/run-server'
import { createAgentRuntime } from 'redux-agent/react'

/** The agent of this workspace: its run server answers on the page's own origin; a reload loses nothing. */
export const agent = createAgentRuntime({
  reducerPath: 'agent',
  providers: [createRunServerProvider()],
  // Some minutes, as a server takes to be deployed and a person to wait: the waits are 4 seconds in the mean.
  reconnect: { maxAttempts: 60, maxDelay: 8000 },
  checkpointStorage: createPersistCheckpointStorage({ storage: createWebStorage(() => localStorage) }),
})
