import type { AnyReactAgentRuntime } from '../createAgentRuntime.ts'
import type { AgentLocale } from '../locale/agentLocale.ts'
import { enUS } from '../locale/enUS.ts'
import { useRunOutlook } from '../run/useRunOutlook.ts'
import { ToolCallCard } from './ToolCallCard.tsx'
import { useToolCall } from './useToolCall.ts'

export interface ToolCallProps {
  agent: AnyReactAgentRuntime
  runId: string
  toolCallId: string
  /** `enUS` by default. */
  locale?: AgentLocale | undefined
}

/**
 * Shows a tool call: its arguments as they stream in, how it ended, and a retry where one is possible. Renders nothing
 * where there is no such call.
 *
 * @example
 * <ToolCall agent={agent} runId="r1" toolCallId="t1" />
 */
export function ToolCall({ agent, runId, toolCallId, locale = enUS }: ToolCallProps) {
  const toolCall = useToolCall(agent, { runId, toolCallId })
  const outlook = useRunOutlook(agent, runId)
  return toolCall ? <ToolCallCard agent={agent} toolCall={toolCall} outlook={outlook} locale={locale} /> : null
}
