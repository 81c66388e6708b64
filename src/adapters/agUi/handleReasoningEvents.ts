import type { AgUiHandlers } from './agUiHandlers.ts'
import type { AgUiScope } from './agUiScope.ts'
import type { AgUiParts } from './createAgUiParts.ts'

type ReasoningEventType =
  | 'REASONING_START'
  | 'REASONING_END'
  | 'REASONING_MESSAGE_START'
  | 'REASONING_MESSAGE_CONTENT'
  | 'REASONING_MESSAGE_END'
  | 'REASONING_ENCRYPTED_VALUE'
  | 'THINKING_START'
  | 'THINKING_END'
  | 'THINKING_TEXT_MESSAGE_START'
  | 'THINKING_TEXT_MESSAGE_CONTENT'
  | 'THINKING_TEXT_MESSAGE_END'

/** What is done with the events of reasoning; those of before 1.0 have no ids, so that they are counted. */
export function handleReasoningEvents(
  scope: AgUiScope,
  { reasoning, opaque }: AgUiParts,
): AgUiHandlers<ReasoningEventType> {
  let thoughts = countThoughts(scope)
  let countedRun = scope.wireRunId

  const thoughtId = () => `${scope.wireRunId}:thinking:${thoughts}`

  function beginThought(): string {
    // Each AG-UI run counts from one.
    if (countedRun !== scope.wireRunId) thoughts = 0
    countedRun = scope.wireRunId
    thoughts += 1
    return thoughtId()
  }

  return {
    REASONING_START: ({ messageId }) => opaque.openSpan(messageId),
    REASONING_END: ({ messageId }) => reasoning.endRestored(messageId),
    REASONING_MESSAGE_START: ({ messageId, subagentRunId }) => reasoning.start(messageId, { subagentRunId }),
    REASONING_MESSAGE_CONTENT: ({ messageId, delta }) => reasoning.append(messageId, delta),
    REASONING_MESSAGE_END: ({ messageId }) => reasoning.end(messageId),
    REASONING_ENCRYPTED_VALUE: ({ entityId, encryptedValue }) => opaque.note(entityId, encryptedValue),
    THINKING_START: () => undefined,
    THINKING_END: () => reasoning.endRestored(thoughtId()),
    THINKING_TEXT_MESSAGE_START: ({ subagentRunId }) => reasoning.start(beginThought(), { subagentRunId }),
    THINKING_TEXT_MESSAGE_CONTENT: ({ delta }) => reasoning.append(thoughtId(), delta),
    THINKING_TEXT_MESSAGE_END: () => reasoning.end(thoughtId()),
  }
}

/** How many an earlier connection of the AG-UI run has brought; a replay counts them anew. */
function countThoughts({ getAgentState, runId, wireRunId, replaysAll }: AgUiScope): number {
  if (replaysAll) return 0
  const known = Object.values(getAgentState()?.reasoning ?? {})
  return known.filter((entry) => entry.runId === runId && entry.id.startsWith(`${wireRunId}:thinking:`)).length
}
