import { isNestedTooDeep, maxJsonDepth } from '../isNestedTooDeep.ts'
import type { AgentTool } from './agentTool.ts'
import { parseToolArguments } from './parseToolArguments.ts'
import { ToolError } from './toolError.ts'

/** Reads the text that a model wrote as arguments; an empty one means none. */
export function parseToolArgumentsText(tool: AgentTool, text: string): unknown {
  let value: unknown
  if (isNestedTooDeep(text)) {
    throw new ToolError({
      code: 'invalid_arguments',
      message: `The arguments of ${tool.name} are nested more than ${maxJsonDepth} levels deep. Call it with flatter ones.`,
    })
  }
  try {
    value = JSON.parse(text.trim() === '' ? '{}' : text)
  } catch {
    throw new ToolError({
      code: 'invalid_arguments',
      message: `The arguments of ${tool.name} are not complete JSON. Call it again with a JSON object.`,
    })
  }
  return parseToolArguments(tool, value)
}
