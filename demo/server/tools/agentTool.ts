import type * as z from 'zod'
import type { ChangePreview } from '../store/rows.ts'
import type { RunServerTransaction } from '../store/runServerStore.ts'

/** What a tool works with: its owner's part of the store, within the transaction that also stores its result. */
export interface ToolContext {
  ownerId: string
  transaction: RunServerTransaction
  now(): number
  createId(): string
}

/** What must be asked of a person before the tool may act. */
export interface ToolApproval<Arguments> {
  risk: 'low' | 'medium' | 'high'
  editable: boolean
  describe(preview: ChangePreview): string
  /** The dry run: what would be changed, without changing it. */
  preview(input: Arguments, context: ToolContext): Promise<ChangePreview>
}

/** Something the model can ask for. Each step throws ToolError where it cannot be done. */
export interface AgentTool<Arguments = unknown> {
  name: string
  description: string
  schema: z.ZodType<Arguments>
  /** Without it the tool only reads. */
  approval?: ToolApproval<Arguments>
  /** What has to be reached outside the store first; it may fail for a while. */
  connect?(ownerId: string, signal: AbortSignal): Promise<void>
  /** Does it; `preview` is what the person agreed to. The result is JSON. */
  run(input: Arguments, context: ToolContext, preview: ChangePreview | undefined): Promise<unknown>
}

/** Keeps a tool's own argument type inside, so that tools of all kinds fit one list. */
export function defineTool<Arguments>(tool: AgentTool<Arguments>): AgentTool {
  return tool as AgentTool
}
