import type { AgUiHandlers } from './agUiHandlers.ts'
import type { AgUiParts } from './createAgUiParts.ts'

type ArtifactEventType = 'STATE_SNAPSHOT' | 'STATE_DELTA' | 'ACTIVITY_SNAPSHOT' | 'ACTIVITY_DELTA'

/** What is done with the events of the shared state and of activities. */
export function handleArtifactEvents({ shared, activities }: AgUiParts): AgUiHandlers<ArtifactEventType> {
  return {
    STATE_SNAPSHOT: ({ snapshot }) => shared.replace(snapshot),
    STATE_DELTA: ({ delta }) => shared.patch(delta),
    ACTIVITY_SNAPSHOT({ messageId, activityType, content, replace = true, subagentRunId }) {
      activities.replace({ messageId, activityType, content, replace, subagentRunId })
    },
    ACTIVITY_DELTA: ({ messageId, patch }) => activities.patch(messageId, patch),
  }
}
