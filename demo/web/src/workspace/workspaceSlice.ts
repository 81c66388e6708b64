import { createSlice, nanoid, type PayloadAction } from '@reduxjs/toolkit'
import { agent } from '../assistant/agent.ts'
import { documentsApi } from '../documents/documentsApi.ts'

export type Theme = 'system' | 'light' | 'dark'
export type Panel = 'documents' | 'editor' | 'assistant'

export interface WorkspaceState {
  readonly selectedDocumentId: string | null
  /** The document that was made last: its title takes the focus when it opens. */
  readonly createdDocumentId: string | null
  readonly searchText: string
  /** The column that a narrow window shows. */
  readonly panel: Panel
  /** Whether a wide window shows the assistant's column. */
  readonly assistantOpen: boolean
  /** The conversation with the assistant that is shown; the agent's session by that name. */
  readonly conversationId: string
  /** Whether the server knows it: there is nothing to read of one without a message. */
  readonly isConversationStarted: boolean
  /** How often the person went to the assistant's field by its key or its skip link. */
  readonly assistantEntries: number
  readonly theme: Theme
  readonly notice: string | null
}

// A function: each store begins a conversation of its own.
const createInitialState = (): WorkspaceState => ({
  selectedDocumentId: null,
  createdDocumentId: null,
  searchText: '',
  panel: 'documents',
  assistantOpen: true,
  conversationId: nanoid(),
  isConversationStarted: false,
  assistantEntries: 0,
  theme: 'system',
  notice: null,
})

const { listDocuments, createDocument, deleteDocument } = documentsApi.endpoints

export const workspaceSlice = createSlice({
  name: 'workspace',
  initialState: createInitialState,
  reducers: {
    documentSelected(state, action: PayloadAction<string | null>) {
      state.selectedDocumentId = action.payload
      state.createdDocumentId = null
      if (action.payload !== null) state.panel = 'editor'
    },
    searchTextChanged(state, action: PayloadAction<string>) {
      state.searchText = action.payload
    },
    panelShown(state, action: PayloadAction<Panel>) {
      state.panel = action.payload
    },
    assistantToggled(state) {
      state.assistantOpen = !state.assistantOpen
    },
    assistantEntered(state) {
      state.panel = 'assistant'
      state.assistantOpen = true
      state.assistantEntries += 1
    },
    conversationStarted: {
      prepare: () => ({ payload: nanoid() }),
      reducer(state, action: PayloadAction<string>) {
        state.conversationId = action.payload
        state.isConversationStarted = false
      },
    },
    conversationOpened(state, action: PayloadAction<string>) {
      state.conversationId = action.payload
      state.isConversationStarted = true
    },
    themeChanged(state, action: PayloadAction<Theme>) {
      state.theme = action.payload
    },
    noticeDismissed(state) {
      state.notice = null
    },
  },
  extraReducers: (builder) => {
    builder
      .addMatcher(agent.events.eventsReceived.match, (state, { payload }) => {
        if (payload.sessionId === state.conversationId) state.isConversationStarted = true
      })
      .addMatcher(listDocuments.matchFulfilled, (state, { payload }) => {
        // The first document stands open where none was asked for; a narrow window goes on showing the list.
        state.selectedDocumentId ??= payload[0]?.id ?? null
      })
      .addMatcher(createDocument.matchFulfilled, (state, { payload }) => {
        state.selectedDocumentId = payload.id
        state.createdDocumentId = payload.id
        state.searchText = ''
        state.panel = 'editor'
      })
      .addMatcher(createDocument.matchRejected, (state) => {
        state.notice = 'The document could not be created. Check the connection and try again.'
      })
      .addMatcher(deleteDocument.matchRejected, (state) => {
        state.notice = 'The document could not be deleted. It is still here; try again.'
      })
  },
  selectors: {
    selectSelectedDocumentId: (state) => state.selectedDocumentId,
    selectCreatedDocumentId: (state) => state.createdDocumentId,
    selectSearchText: (state) => state.searchText,
    selectPanel: (state) => state.panel,
    selectAssistantOpen: (state) => state.assistantOpen,
    selectAssistantEntries: (state) => state.assistantEntries,
    selectConversationId: (state) => state.conversationId,
    selectIsConversationStarted: (state) => state.isConversationStarted,
    selectTheme: (state) => state.theme,
    selectNotice: (state) => state.notice,
  },
})
