/** Nothing can be added to a run that has ended; its loop stops when it meets this. */
export class RunEndedError extends Error {
  constructor(runId: string) {
    super(`Run ${runId} has ended, so that no event can be added to it.`)
    this.name = 'RunEndedError'
  }
}
