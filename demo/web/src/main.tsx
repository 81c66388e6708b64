import { setupListeners } from '@reduxjs/toolkit/query'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { Provider } from 'react-redux'
import './base.css'
import { App } from './app/App.tsx'
import { startAppListening } from './app/startAppListening.ts'
import { store } from './app/store.ts'
import { addAssistantListeners } from './assistant/addAssistantListeners.ts'
import { addAutosaveListeners } from './documents/addAutosaveListeners.ts'
import { addWorkspaceListeners } from './workspace/addWorkspaceListeners.ts'
import { applyTheme } from './workspace/applyTheme.ts'
import { ReplayLayer } from './replay/ReplayLayer.tsx'
import { watchHash } from './watch/watchHash.ts'
import { WatchPage } from './watch/WatchPage.tsx'
import { connectBrowserEvents } from './workspace/connectBrowserEvents.ts'

const container = document.getElementById('root')
if (!container) throw new Error('index.html has no element with the id "root": add one for the app to render into.')

addWorkspaceListeners(startAppListening)
addAutosaveListeners(startAppListening)
addAssistantListeners(startAppListening)
setupListeners(store.dispatch)
connectBrowserEvents(store)
applyTheme(store.getState().workspace.theme)

// A window that was opened to watch a run does nothing else.
const watchedRunId = watchHash.parse(window.location.hash)

createRoot(container).render(
  <StrictMode>
    <Provider store={store}>
      {watchedRunId === null ? (
        <ReplayLayer>
          <App />
        </ReplayLayer>
      ) : (
        <WatchPage runId={watchedRunId} />
      )}
    </Provider>
  </StrictMode>,
)
