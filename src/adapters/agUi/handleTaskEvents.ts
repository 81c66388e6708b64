import type { AgUiHandlers } from './agUiHandlers.ts'
import type { AgUiParts } from './createAgUiParts.ts'

type TaskEventType = 'STEP_STARTED' | 'STEP_FINISHED' | 'SUBAGENT_STARTED' | 'SUBAGENT_FINISHED' | 'SUBAGENT_ERROR'

/** What is done with the events of steps and subagents. */
export function handleTaskEvents({ tasks }: AgUiParts): AgUiHandlers<TaskEventType> {
  return {
    STEP_STARTED: ({ stepName, subagentRunId }) => tasks.startStep(stepName, subagentRunId),
    STEP_FINISHED: ({ stepName, subagentRunId }) => tasks.finishStep(stepName, subagentRunId),
    SUBAGENT_STARTED({ subagentRunId: id, name, description, parentSubagentRunId, parentToolCallId }) {
      tasks.startSubagent({ id, name, description, parentSubagentRunId, parentToolCallId })
    },
    SUBAGENT_FINISHED: ({ subagentRunId, result, outcome }) =>
      tasks.finishSubagent(subagentRunId, { result, isSuspended: outcome?.type === 'suspended' }),
    SUBAGENT_ERROR: (event) => tasks.failSubagent(event.subagentRunId, event),
  }
}
