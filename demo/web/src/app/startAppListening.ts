import { listenerMiddleware } from './listenerMiddleware.ts'
import type { AppDispatch, RootState } from './store.ts'

export const startAppListening = listenerMiddleware.startListening.withTypes<RootState, AppDispatch>()

export type StartAppListening = typeof startAppListening
