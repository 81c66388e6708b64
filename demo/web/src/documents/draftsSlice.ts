import { createSlice, type PayloadAction } from '@reduxjs/toolkit'
import { documentsApi } from './documentsApi.ts'

/** What the person has written and the server has not yet stored. No draft means that everything is saved. */
export interface Draft {
  readonly documentId: string
  readonly title: string
  readonly content: string
  /** The version that the person began from. */
  readonly baseVersion: number
  readonly status: 'editing' | 'saving' | 'failed' | 'conflict'
}

type DraftEdit = Omit<Draft, 'status'>

const { updateDocument, deleteDocument } = documentsApi.endpoints

const without = (drafts: readonly Draft[], documentId: string) =>
  drafts.filter((draft) => draft.documentId !== documentId)

// A list, not a record: there are few, and a document's id may be any string.
const initialState: readonly Draft[] = []

export const draftsSlice = createSlice({
  name: 'drafts',
  initialState: initialState as Draft[],
  reducers: {
    draftEdited(drafts, { payload }: PayloadAction<DraftEdit>) {
      const draft = drafts.find(({ documentId }) => documentId === payload.documentId)
      if (!draft) return [...drafts, { ...payload, status: 'editing' }]
      const { title, content } = payload
      // A save on its way and a conflict stay what they are; a failed save is tried again with the new text.
      Object.assign(draft, { title, content, status: draft.status === 'failed' ? 'editing' : draft.status })
      return drafts
    },
    draftConflicted(drafts, { payload }: PayloadAction<string>) {
      setStatus(drafts, payload, 'conflict')
    },
    /** The person keeps their text over the version that is stored now. */
    draftRebased(drafts, { payload }: PayloadAction<{ documentId: string; version: number }>) {
      return drafts.map((draft) =>
        draft.documentId === payload.documentId ? { ...draft, baseVersion: payload.version, status: 'editing' } : draft,
      )
    },
    draftDiscarded: (drafts, { payload }: PayloadAction<string>) => without(drafts, payload),
    draftsSaveRequested(drafts) {
      for (const draft of drafts) if (draft.status === 'failed') setStatus(drafts, draft.documentId, 'editing')
    },
  },
  extraReducers: (builder) => {
    builder
      .addMatcher(updateDocument.matchPending, (drafts, { meta }) => {
        setStatus(drafts, meta.arg.originalArgs.id, 'saving')
      })
      .addMatcher(updateDocument.matchFulfilled, (drafts, { payload, meta }) => {
        const sent = meta.arg.originalArgs
        return drafts.flatMap((draft): Draft[] => {
          if (draft.documentId !== sent.id) return [draft]
          const stored = draft.title === sent.title && draft.content === sent.content
          return stored ? [] : [{ ...draft, baseVersion: payload.version, status: 'editing' }]
        })
      })
      .addMatcher(updateDocument.matchRejected, (drafts, { payload, meta }) => {
        setStatus(drafts, meta.arg.originalArgs.id, payload?.status === 409 ? 'conflict' : 'failed')
      })
      .addMatcher(deleteDocument.matchFulfilled, (drafts, { meta }) => without(drafts, meta.arg.originalArgs))
  },
  selectors: {
    selectDrafts: (drafts) => drafts,
    selectDraft: (drafts, documentId: string) => drafts.find((draft) => draft.documentId === documentId),
  },
})

function setStatus(drafts: Draft[], documentId: string, status: Draft['status']) {
  const index = drafts.findIndex((draft) => draft.documentId === documentId)
  const draft = drafts[index]
  if (draft) drafts[index] = { ...draft, status }
}
