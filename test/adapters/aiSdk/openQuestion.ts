import { finished, goesOn } from './chunks.ts'

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
  ...finished('tool-calls'),
]
/** What the answer brings. */
export const goingOn = goesOn(['c'], 'Done.')
