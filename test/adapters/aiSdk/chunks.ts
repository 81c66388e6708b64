// What an AI SDK server says, chunk by chunk, as it stands on the wire.

/** A text in these pieces. */
export const said = (id: string, ...pieces: readonly string[]) => [
  { type: 'text-start', id },
  ...pieces.map((delta) => ({ type: 'text-delta', id, delta })),
  { type: 'text-end', id },
]

/** The end of the last step, and of the answer. */
export const finished = (finishReason = 'stop') => [{ type: 'finish-step' }, { type: 'finish', finishReason }]

/** How an answer to questions goes on: what the approved calls gave, and then a step that says these pieces. */
export const goesOn = (calls: readonly string[], ...pieces: readonly string[]) => [
  { type: 'start', messageId: 'm' },
  ...calls.map((toolCallId) => ({ type: 'tool-output-available', toolCallId, output: 'ok' })),
  { type: 'start-step' },
  ...said('t', ...pieces),
  ...finished(),
]
