/** Where a process may be made to die, so that tests can see what its successor finds. */
export const crashPoints = [
  ...(['event.before', 'event.after', 'ledger-started.before', 'ledger-started.after'] as const),
  ...(['tool-effect.before', 'tool-effect.after', 'ledger-ended.before', 'ledger-ended.after'] as const),
  ...(['checkpoint.before', 'checkpoint.after', 'decision.before', 'decision.after'] as const),
  ...(['wake-up.before', 'wake-up.after'] as const),
]

export type CrashPointName = (typeof crashPoints)[number]

/** Called by name as the work passes by; does nothing unless a test says otherwise. */
export type CrashPoint = (name: CrashPointName) => void
