const prefix = '#/watch/'

/** The address of a run that is watched, in a window of its own: `#/watch/ID`. */
export const watchHash = {
  format: (runId: string) => prefix + encodeURIComponent(runId),
  parse(hash: string): string | null {
    if (!hash.startsWith(prefix)) return null
    try {
      return decodeURIComponent(hash.slice(prefix.length)) || null
    } catch {
      return null
    }
  },
}
