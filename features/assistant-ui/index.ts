export { toExternalStore } from './toExternalStore.ts'
export type { ExternalChat, ExternalStoreOptions } from './toExternalStore.ts'
