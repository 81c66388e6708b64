import type { AgentTrace } from './agentTrace.ts'
import { AgentTraceError } from './agentTraceError.ts'
import { assertTraceSize } from './assertTraceSize.ts'
import type { AgentTraceLimits } from './agentTraceLimits.ts'
import { parseAgentTrace } from './parseAgentTrace.ts'

/**
 * Reads a trace file that a person chose; one that is too large is not even read.
 *
 * @throws AgentTraceError as `parseAgentTrace` does, and `unreadable` where the file cannot be read.
 * @experimental
 * @example
 * const trace = await readAgentTraceFile(input.files[0])
 */
export async function readAgentTraceFile(file: Blob, limits: AgentTraceLimits = {}): Promise<AgentTrace> {
  assertTraceSize(file.size, limits)
  let text: string
  try {
    text = await file.text()
  } catch (cause) {
    throw new AgentTraceError('unreadable', 'The file could not be read. It may have been moved: choose it again.', cause)
  }
  return parseAgentTrace(text, limits)
}
