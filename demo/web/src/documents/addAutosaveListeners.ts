import { isAnyOf } from '@reduxjs/toolkit'
import type { StartAppListening } from '../app/startAppListening.ts'
import { documentsApi } from './documentsApi.ts'
import { draftsSlice } from './draftsSlice.ts'

const autosaveDelay = 800

const { draftConflicted, draftEdited, draftsSaveRequested, draftRebased } = draftsSlice.actions
const { getDocument, updateDocument } = documentsApi.endpoints

/** Saves every draft once the person pauses, and at once when asked to. One save at a time for each document. */
export function addAutosaveListeners(startListening: StartAppListening) {
  startListening({
    // A save that ends looks again: what was written meanwhile was held back, as it would have run into a conflict.
    matcher: isAnyOf(draftEdited, draftsSaveRequested, draftRebased, updateDocument.matchFulfilled),
    effect: async (action, api) => {
      api.cancelActiveListeners()
      if (!isAnyOf(draftsSaveRequested, draftRebased)(action)) await api.delay(autosaveDelay)

      for (const { documentId, title, content, baseVersion, status } of api.getState().drafts) {
        if (status !== 'editing') continue
        const known = getDocument.select(documentId)(api.getState()).data
        if (known && known.version > baseVersion) {
          api.dispatch(draftConflicted(documentId))
          continue
        }
        const update = { id: documentId, title, content, expectedVersion: baseVersion }
        api.dispatch(updateDocument.initiate(update, { track: false }))
      }
    },
  })
}
