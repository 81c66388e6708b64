const refusals: readonly unknown[] = [404, 409, 410]

/** Says whether an error on a resume is the server's word that it cannot go on after the cursor. */
export function isRefusedCursor(error: unknown): boolean {
  if (typeof error !== 'object' || error === null) return false
  const { code, status } = error as { code?: unknown; status?: unknown }
  return code === 'resume_unavailable' || refusals.includes(status)
}
