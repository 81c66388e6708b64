/** Why a call that was handed to the app ends with its run: nothing ran it here. */
export const handedToApp = 'It is the app’s to run, and to answer with its next request.'

/** What the model is told of a call that the app did not answer; some wires take no further message without. */
export const notRun = 'The app did not run this call.'

/** A tool's result as the model reads it: text as it is, anything else as JSON. */
export function toToolText(result: unknown): string {
  return typeof result === 'string' ? result : (JSON.stringify(result) ?? '')
}
