/** A step that asks about one call while another one is under way. */
export const asking = [
  { type: 'start', messageId: 'm' },
  { type: 'start-step' },
  { type: 'tool-input-available', toolCallId: 'look', toolName: 'look', input: {} },
  { type: 'tool-input-available', toolCallId: 'c', toolName: 'deploy', input: {} },
  { type: 'tool-approval-request', approvalId: 'a', toolCallId: 'c' },
]
/** How its stream ends. */
export const remaining = [
  { type: 'tool-output-available', toolCallId: 'look', output: 'seen' },
  { type: 'finish-step' },
  { type: 'finish', finishReason: 'tool-calls' },
]
/** What the answer brings. */
export const goingOn = [
  { type: 'start', messageId: 'm' },
  { type: 'tool-output-available', toolCallId: 'c', output: 'ok' },
  { type: 'start-step' },
  { type: 'text-start', id: 't' },
  { type: 'text-delta', id: 't', delta: 'Done.' },
  { type: 'text-end', id: 't' },
  { type: 'finish-step' },
  { type: 'finish', finishReason: 'stop' },
]
