import { configureStore } from '@reduxjs/toolkit'
import { agent } from '../assistant/agent.ts'
import { agentApi } from '../conversations/agentApi.ts'
import { documentsApi } from '../documents/documentsApi.ts'
import { draftsSlice } from '../documents/draftsSlice.ts'
import { loadWorkspace } from '../workspace/loadWorkspace.ts'
import { workspaceSlice } from '../workspace/workspaceSlice.ts'
import { listenerMiddleware } from './listenerMiddleware.ts'

export const store = configureStore({
  reducer: {
    [documentsApi.reducerPath]: documentsApi.reducer,
    [draftsSlice.reducerPath]: draftsSlice.reducer,
    [workspaceSlice.reducerPath]: workspaceSlice.reducer,
    [agent.reducerPath]: agent.reducer,
    [agentApi.reducerPath]: agentApi.reducer,
  },
  preloadedState: { workspace: loadWorkspace() },
  middleware: (getDefaultMiddleware) =>
    getDefaultMiddleware().prepend(listenerMiddleware.middleware).concat(documentsApi.middleware, agent.middleware, agentApi.middleware),
  devTools: agent.devTools,
})

export type AppStore = typeof store
export type AppDispatch = AppStore['dispatch']
export type RootState = ReturnType<AppStore['getState']>
