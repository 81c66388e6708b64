import type { AgUiHandlers } from './agUiHandlers.ts'
import type { AgUiParts } from './createAgUiParts.ts'

type ToolEventType = 'TOOL_CALL_START' | 'TOOL_CALL_ARGS' | 'TOOL_CALL_END' | 'TOOL_CALL_RESULT'

/** What is done with the events of tool calls. */
export function handleToolEvents({ tools, startTool, takeResult }: AgUiParts): AgUiHandlers<ToolEventType> {
  return {
    TOOL_CALL_START: (event) => startTool(event.toolCallId, event),
    TOOL_CALL_ARGS: ({ toolCallId, delta }) => tools.append(toolCallId, delta),
    TOOL_CALL_END: ({ toolCallId }) => tools.end(toolCallId),
    TOOL_CALL_RESULT: takeResult,
  }
}
