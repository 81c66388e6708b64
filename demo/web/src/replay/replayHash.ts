const prefix = '#/replay/'

/** The address of a run's replay: `#/replay/ID`; without an ID it is that of a file's, which is chosen there. */
export const replayHash = {
  format: (runId: string) => prefix + encodeURIComponent(runId),
  parse(hash: string): string | null {
    if (!hash.startsWith(prefix)) return null
    try {
      return decodeURIComponent(hash.slice(prefix.length))
    } catch {
      return null
    }
  },
}
