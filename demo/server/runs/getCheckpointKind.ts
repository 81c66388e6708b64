import type { CheckpointKind } from '../store/rows.ts'

const kinds: ReadonlyMap<string, CheckpointKind> = new Map([
  ['run.started', 'run_started'],
  ['tool.requested', 'tool_call_started'],
  ['tool.completed', 'tool_call_result_persisted'],
  ['tool.failed', 'tool_call_result_persisted'],
  ['tool.cancelled', 'tool_call_result_persisted'],
  ['run.completed', 'run_finished'],
  ['run.cancelled', 'run_finished'],
  ['run.failed', 'run_failed'],
])

/** The checkpoint that an event of this type is the moment for, if it is one. */
export function getCheckpointKind(type: string): CheckpointKind | undefined {
  return kinds.get(type)
}
