import * as z from 'zod'
import { defineTool, type AgentTool } from './agentTool.ts'

/**
 * Says what a tool of another server (MCP) would be called with. What such a tool does cannot be taken back, or found
 * out after a crash, so that here it only ever is a dry run, whatever the model or the person says.
 */
export const mcpCall: AgentTool = defineTool({
  name: 'mcp_call',
  description:
    'Prepare a call of a tool of a connected MCP server. It is never executed here: the person gets the prepared call.',
  effect: 'none',
  schema: z.object({
    server: z.string().min(1).max(100),
    tool: z.string().min(1).max(200),
    arguments: z.record(z.string(), z.unknown()).default({}),
  }),
  run: async (call) => ({ dryRun: true, confirmationRequired: true, executed: false, call }),
})
