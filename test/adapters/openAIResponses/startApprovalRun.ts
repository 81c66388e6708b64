import { createOpenAIResponsesProvider, type OpenAIResponsesInput } from 'redux-agent/adapters/openai-responses'
import { createHarness, endOfTask } from '../../store/createHarness.ts'
import { createWire, type WireAnswers } from '../openAI/createWire.ts'
import { mcp } from './approvalScripts.ts'

/** Starts a run in a real store, and gives what answers its approvals. */
export async function start(answers: WireAnswers, options: Parameters<typeof createOpenAIResponsesProvider>[0] = {}) {
  const wire = createWire(...answers)
  const provider = createOpenAIResponsesProvider({ tools: [mcp], ...options, fetch: wire.fetch })
  const harness = createHarness({ providers: [provider], ids: ['r1'] })
  const input: OpenAIResponsesInput = { message: 'Find it.', model: 'm' }
  await harness.store.dispatch(harness.agent.actions.startRun({ sessionId: 's1', provider, input })).unwrap()
  const resolve = (approvalId: string, decision: 'approved' | 'rejected' | 'modified' = 'approved') =>
    harness.store.dispatch(harness.agent.actions.resolveApproval({ runId: 'r1', approvalId, decision })).unwrap()
  async function settle() {
    for (let count = 0; count < 20; count += 1) {
      await endOfTask()
      harness.fireFrame()
    }
  }
  return { ...harness, provider, sent: wire.sent, resolve, settle, run: () => harness.state().runs.r1! }
}
