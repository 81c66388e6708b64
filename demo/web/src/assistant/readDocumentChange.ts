import type { AgentToolCallState } from 'redux-agent'
import * as z from 'zod/mini'

const changingTools: ReadonlySet<string> = new Set(['document_write', 'document_update'])
const resultSchema = z.object({ documentId: z.string().check(z.minLength(1)), title: z.string() })

/** Which document a tool call has changed, where it was one that changes documents and it is done. */
export function readDocumentChange({ name, status, result }: AgentToolCallState) {
  if (status !== 'completed' || !changingTools.has(name)) return undefined
  return resultSchema.safeParse(result).data
}
