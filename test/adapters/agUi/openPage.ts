import type { AgentCheckpointStorage } from 'redux-agent'
import { createAgUiProvider, type AgUiProviderOptions } from 'redux-agent/adapters/ag-ui'
import { createHarness, endOfTask } from '../../store/createHarness.ts'
import { createWire, type WireAnswers } from '../openAI/createWire.ts'

/** A page with a real store that talks to an agent. */
export function openPage(
  answers: WireAnswers,
  more: Partial<AgUiProviderOptions> & { storage?: AgentCheckpointStorage; ids?: string[] } = {},
) {
  const { storage, ids = ['r1'], ...options } = more
  const wire = createWire(...answers)
  const provider = createAgUiProvider({ url: '/run', fetch: wire.fetch, createMessageId: () => 'q1', ...options })
  const stored = storage && { checkpointStorage: storage }
  const page = createHarness({ providers: [provider], ids, frames: false, ...stored })
  const { store, agent } = page
  return {
    ...page,
    wire,
    provider,
    open: () =>
      store.dispatch(agent.actions.openSession({ sessionId: 's1', provider: 'ag-ui' })).unwrap(),
    start: (message = 'Hello') =>
      store.dispatch(agent.actions.startRun({ sessionId: 's1', provider: 'ag-ui', input: { message } })),
    resolve: (approvalId: string, decision: 'approved' | 'rejected' | 'modified' = 'approved', data?: unknown, runId = 'r1') =>
      store
        .dispatch(
          agent.actions.resolveApproval({
            runId,
            approvalId,
            decision,
            ...(data !== undefined && { data }),
          }),
        )
        .unwrap(),
    cancel: (reason?: string, runId = 'r1') =>
      store.dispatch(agent.actions.cancelRun({ runId, ...(reason !== undefined && { reason }) })).unwrap(),
    async rest(turns = 12) {
      for (let turn = 0; turn < turns; turn += 1) await endOfTask()
    },
  }
}
