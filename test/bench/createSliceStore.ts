import { configureStore, createSlice, type PayloadAction } from '@reduxjs/toolkit'
import type { AgentEvent } from 'redux-agent'
import { createFoldState, foldEvent, type FoldState } from './foldEvent.ts'

/**
 * What an app would write without us: RTK's `createSlice` over the plainest fold, which checks nothing, in a store of
 * its own. The yardstick of what takes microseconds, and of how fast the machine is just now.
 */
export function createSliceStore() {
  const slice = createSlice({
    name: 'fold',
    initialState: createFoldState(),
    reducers: {
      eventsReceived(state, action: PayloadAction<readonly AgentEvent[]>) {
        for (const event of action.payload) foldEvent(state as FoldState, event)
      },
    },
  })
  const store = configureStore({ reducer: { fold: slice.reducer } })
  const receive = (events: readonly AgentEvent[]) => store.dispatch(slice.actions.eventsReceived(events))
  return { store, receive }
}
