import * as z from 'zod'
import type { AgentTool } from './agentTool.ts'
import { ToolError } from './toolError.ts'

/** Checks arguments against the tool's schema; keys that it does not know are dropped. */
export function parseToolArguments(tool: AgentTool, value: unknown): unknown {
  const parsed = tool.schema.safeParse(value)
  if (parsed.success) return parsed.data
  throw new ToolError({
    code: 'invalid_arguments',
    message: `The arguments of ${tool.name} do not fit. ${z.prettifyError(parsed.error)}`,
  })
}
