import type { AnyReactAgentRuntime } from '../createAgentRuntime.ts'
import type { AgentLocale } from '../locale/agentLocale.ts'
import { enUS } from '../locale/enUS.ts'
import { useRunOutlook } from '../run/useRunOutlook.ts'
import { ToolCallCard } from './ToolCallCard.tsx'
import { useToolCall } from './useToolCall.ts'

/** What `ToolCall` is given. */
export interface ToolCallProps {
  agent: AnyReactAgentRuntime
  runId: string
  toolCallId: string
  /** `enUS` by default. */
  locale?: AgentLocale | undefined
  /** Offers to begin anew what a run that has ended left undone, such as by `onReload`; not offered by default. */
  onRegenerate?: ((runId: string) => void) | undefined
}

/**
 * Shows a tool call: its arguments as they stream in, how it ended, and a retry where one is possible. Renders nothing
 * where there is no such call.
 *
 * @example
 * <ToolCall agent={agent} runId="r1" toolCallId="t1" />
 */
export function ToolCall({ agent, runId, toolCallId, locale = enUS, onRegenerate }: ToolCallProps) {
  const toolCall = useToolCall(agent, { runId, toolCallId })
  const outlook = useRunOutlook(agent, runId)
  if (!toolCall) return null
  return (
    <ToolCallCard agent={agent} toolCall={toolCall} outlook={outlook} locale={locale} onRegenerate={onRegenerate} />
  )
}
