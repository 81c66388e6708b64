import type { StartAppListening } from '../app/startAppListening.ts'
import { replayHash } from '../replay/replayHash.ts'
import { applyTheme } from './applyTheme.ts'
import { conversationStorage } from './conversationStorage.ts'
import { documentHash } from './documentHash.ts'
import { themeStorage } from './themeStorage.ts'
import { workspaceSlice } from './workspaceSlice.ts'

const { conversationStarted, conversationOpened, themeChanged } = workspaceSlice.actions
const { selectConversationId, selectIsConversationStarted, selectSelectedDocumentId } = workspaceSlice.selectors

/** Carries the workspace's state out to the page: the theme to its root and storage, the selection to the URL. */
export function addWorkspaceListeners(startListening: StartAppListening) {
  startListening({
    actionCreator: themeChanged,
    effect: ({ payload }) => {
      applyTheme(payload)
      themeStorage.save(payload)
    },
  })

  for (const actionCreator of [conversationStarted, conversationOpened]) {
    startListening({ actionCreator, effect: ({ payload }) => conversationStorage.save(payload) })
  }

  startListening({
    predicate: (_action, current, previous) =>
      selectIsConversationStarted(current) &&
      (!selectIsConversationStarted(previous) || selectConversationId(current) !== selectConversationId(previous)),
    effect: (_action, { getState }) => conversationStorage.saveStarted(selectConversationId(getState())),
  })

  startListening({
    predicate: (_action, current, previous) => selectSelectedDocumentId(current) !== selectSelectedDocumentId(previous),
    effect: (_action, { getState }) => {
      const id = selectSelectedDocumentId(getState())
      const hash = id === null ? '' : documentHash.format(id)
      if (hash === window.location.hash || replayHash.parse(window.location.hash) !== null) return
      // A selection out of an empty address is where the person starts, not a step to come back from.
      if (id === null || documentHash.parse(window.location.hash) === null) {
        history.replaceState(null, '', hash || window.location.pathname + window.location.search)
      } else {
        window.location.hash = hash
      }
    },
  })
}
