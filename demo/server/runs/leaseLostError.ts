/** Another node has taken the run over, or it was interrupted: whoever worked on it must write nothing more. */
export class LeaseLostError extends Error {
  constructor(runId: string) {
    super(`The lease on run ${runId} is lost, so that nothing can be added to it under the old one.`)
    this.name = 'LeaseLostError'
  }
}
