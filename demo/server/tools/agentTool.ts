import type * as z from 'zod'
import type { ChangePreview } from '../store/rows.ts'
import type { RunServerTransaction } from '../store/runServerStore.ts'

/** What a tool works with: its owner's part of the store, within the transaction that also stores its result. */
export interface ToolContext {
  ownerId: string
  transaction: RunServerTransaction
  /** What a person answered, of a tool that asks. */
  answer?: string | undefined
  now(): number
  createId(): string
}

/** What a tool that acts outside works with. */
export interface ExternalToolContext {
  ownerId: string
  /** The same for every try until one is known to have failed, so that a service that knows it does nothing twice. */
  idempotencyKey: string
  signal: AbortSignal
}

/** What must be asked of a person before the tool may act. */
export interface ToolApproval<Arguments> {
  risk: 'low' | 'medium' | 'high'
  editable: boolean
  /** Makes it a plain question: what the person says is the answer, not leave to do something. */
  ask?(input: Arguments): { question: string; options?: readonly string[] | undefined }
  describe(preview: ChangePreview): string
  /** The dry run: what would be changed, without changing it. */
  preview(input: Arguments, context: ToolContext): Promise<ChangePreview>
}

/**
 * - `read` reads the owner's part of the store and nothing else: its result can be used again while that is unchanged.
 * - `write` changes that part, together with its own success: if it was interrupted, nothing was written.
 * - `external` acts outside: if it was interrupted, nobody knows whether it did.
 * - `none`: asks, or says what would be done; there is nothing to be done twice.
 */
export type ToolEffect = 'read' | 'write' | 'external' | 'none'

/** Something the model can ask for. Each step throws ToolError where it cannot be done. */
export interface AgentTool<Arguments = unknown> {
  name: string
  description: string
  schema: z.ZodType<Arguments>
  effect: ToolEffect
  /** Tools that write or act outside have it: nothing is committed that nobody has confirmed. */
  approval?: ToolApproval<Arguments>
  /** What has to be reached outside the store first; it may fail for a while. */
  connect?(ownerId: string, signal: AbortSignal): Promise<void>
  /** Acts outside, of an external tool; gives what is then stored as its result. */
  perform?(input: Arguments, context: ExternalToolContext): Promise<unknown>
  /** Does it within the store, of every other; `preview` is what the person agreed to. The result is JSON. */
  run?(input: Arguments, context: ToolContext, preview: ChangePreview | undefined): Promise<unknown>
}

/** Keeps a tool's own argument type inside, so that tools of all kinds fit one list. */
export function defineTool<Arguments>(tool: AgentTool<Arguments>): AgentTool {
  return tool as AgentTool
}
