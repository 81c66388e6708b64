import type { MessageEdits } from './messageEdits.ts'

/** What a component changed before it changed anything. */
export const noEdits: MessageEdits = { order: [], patches: new Map(), added: new Map(), removed: new Set() }
