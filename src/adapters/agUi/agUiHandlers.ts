import type { AgUiEventOf, AgUiEventType } from './parseAgUiEvent.ts'

/** What is done with each of some types of events. */
export type AgUiHandlers<Type extends AgUiEventType> = { readonly [Key in Type]: (event: AgUiEventOf<Key>) => void }
