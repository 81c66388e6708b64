import type { AgentState } from './agentState.ts'
import { getOwn } from './ownRecord.ts'
import { createProcessedWriter } from './processed/createProcessedWriter.ts'
import type { RunDraft } from './runDraft.ts'

/** Takes up a run where a state has it: among the settled ones, or in the state that is written. */
export function createRunDraft(options: { id: string; base: AgentState; settled?: AgentState | undefined }): RunDraft {
  const { id, base, settled } = options
  const home = settled && Object.hasOwn(settled.runs, id) ? settled : base
  const state = getOwn(home.runs, id)
  return {
    id,
    state,
    isRunning: state?.status === 'running',
    lastSequence: getOwn(home.lastSequenceByRun, id) ?? -1,
    hasChanged: false,
    processed: createProcessedWriter(id, getOwn(base.processedEvents, id)),
    entities: {
      message: undefined,
      reasoning: undefined,
      tool: undefined,
      approval: undefined,
      task: undefined,
      artifact: undefined,
    },
    lastKind: undefined,
    lastId: '',
    lastEntity: undefined,
  }
}
