import type { AppStore } from '../app/store.ts'
import { resumeLostRuns } from '../assistant/resumeLostRuns.ts'
import { draftsSlice } from '../documents/draftsSlice.ts'
import { replayHash } from '../replay/replayHash.ts'
import { documentHash } from './documentHash.ts'
import { workspaceSlice } from './workspaceSlice.ts'

const { documentSelected } = workspaceSlice.actions
const { draftsSaveRequested } = draftsSlice.actions
const { selectDrafts } = draftsSlice.selectors

/** Carries what the browser does into the store: back and forward, a page put aside, a network that came back. */
export function connectBrowserEvents(store: AppStore) {
  const save = () => {
    if (selectDrafts(store.getState()).length > 0) store.dispatch(draftsSaveRequested())
  }

  window.addEventListener('hashchange', () => {
    // A replay lies over the workspace, which stays as it is.
    if (replayHash.parse(window.location.hash) !== null) return
    const id = documentHash.parse(window.location.hash)
    if (id !== store.getState().workspace.selectedDocumentId) store.dispatch(documentSelected(id))
  })
  window.addEventListener('online', save)
  window.addEventListener('online', () => resumeLostRuns(store))
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'hidden') save()
    else resumeLostRuns(store)
  })
  window.addEventListener('beforeunload', (event) => {
    if (selectDrafts(store.getState()).length > 0) event.preventDefault()
  })
}
