import type { StoreEnhancer, UnknownAction } from '@reduxjs/toolkit'

/** A store that takes a kind of action and then throws, as one of its subscribers does. */
export const throwAfter =
  (name: string, times = Infinity): StoreEnhancer =>
  (create) =>
  (...of) => {
    const store = create(...of)
    let thrown = 0
    const dispatch = ((action: UnknownAction) => {
      const taken = store.dispatch(action as never)
      if (action.type.endsWith(`/${name}`) && thrown++ < times) throw new Error('The app fails.')
      return taken
    }) as typeof store.dispatch
    return { ...store, dispatch }
  }
