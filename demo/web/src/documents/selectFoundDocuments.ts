import { createSelector } from '@reduxjs/toolkit'
import { workspaceSlice } from '../workspace/workspaceSlice.ts'
import { documentsApi } from './documentsApi.ts'

/** The documents whose title or excerpt holds every word of the search text, in the server's order. */
export const selectFoundDocuments = createSelector(
  documentsApi.endpoints.listDocuments.select(),
  workspaceSlice.selectors.selectSearchText,
  ({ data: documents = [] }, searchText) => {
    const words = searchText.toLocaleLowerCase().split(/\s+/).filter(Boolean)
    if (words.length === 0) return documents
    return documents.filter(({ title, excerpt }) => {
      const text = `${title}\n${excerpt}`.toLocaleLowerCase()
      return words.every((word) => text.includes(word))
    })
  },
)
