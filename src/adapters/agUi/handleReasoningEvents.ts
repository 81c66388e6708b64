import type { AgUiHandlers } from './agUiHandlers.ts'
import type { AgUiProgress } from './agUiProgress.ts'
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
  progress: AgUiProgress,
): { handlers: AgUiHandlers<ReasoningEventType>; saveThoughts: () => string | undefined } {
  let thoughts = progress.thoughts ?? 0
  let countedRun = scope.wireRunId

  const thoughtId = () => `${scope.wireRunId}:thinking:${thoughts}`

  function beginThought(): string {
    // Each AG-UI run counts from one.
    if (countedRun !== scope.wireRunId) thoughts = 0
    countedRun = scope.wireRunId
    thoughts += 1
    return thoughtId()
  }

  const handlers: AgUiHandlers<ReasoningEventType> = {
    REASONING_START: ({ messageId }) => opaque.openSpan(messageId),
    REASONING_END: () => undefined,
    REASONING_MESSAGE_START: ({ messageId, subagentRunId }) => reasoning.start(messageId, { subagentRunId }),
    REASONING_MESSAGE_CONTENT: ({ messageId, delta }) => reasoning.append(messageId, delta),
    REASONING_MESSAGE_END: ({ messageId }) => reasoning.end(messageId),
    REASONING_ENCRYPTED_VALUE: ({ entityId, encryptedValue }) => opaque.note(entityId, encryptedValue),
    THINKING_START: () => undefined,
    THINKING_END: () => undefined,
    THINKING_TEXT_MESSAGE_START: ({ subagentRunId }) => reasoning.start(beginThought(), { subagentRunId }),
    THINKING_TEXT_MESSAGE_CONTENT: ({ delta }) => reasoning.append(thoughtId(), delta),
    THINKING_TEXT_MESSAGE_END: () => reasoning.end(thoughtId()),
  }
  return { handlers, saveThoughts: () => (thoughts > 0 ? `${thoughts}` : undefined) }
}
