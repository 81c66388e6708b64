import type { AgUiMeta } from './agUiMeta.ts'
import type { AgUiScope } from './agUiScope.ts'

/** Counts what an AG-UI run changes of one thing, so that a replay of it from the start changes nothing twice. */
export interface ChangeCount {
  /** Takes the next change; says whether it is new. */
  take(): boolean
  /** Says how far it has come, for the thing itself to keep beside what it keeps; nothing where no replay will ask. */
  toMeta(kept?: AgUiMeta): AgUiMeta
  /** Whether this connection has told a change. */
  hasBegun(): boolean
}

export function createChangeCount({ getLeg, replaysAll, mayReplayAll }: AgUiScope, known: AgUiMeta = {}): ChangeCount {
  let count = 0
  let leg = getLeg()

  return {
    take() {
      if (leg !== getLeg()) count = 0
      leg = getLeg()
      count += 1
      return !replaysAll || known.changedIn !== leg || count > (known.changes ?? 0)
    },
    toMeta: (kept) => (mayReplayAll ? { ...kept, changedIn: leg, changes: count } : {}),
    hasBegun: () => count > 0,
  }
}
