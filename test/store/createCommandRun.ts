import { type AgentCommand, type AgentCommandType, type AgentEvent, type AgentEventFactory } from 'redux-agent'
import {
  createGate,
  createScriptedProvider,
  type ScriptedProviderOptions,
  type ScriptedStep,
} from 'redux-agent/testing'
import { createHarness, endOfTask } from './createHarness.ts'
import { createRun } from './createRunEvents.ts'

export type Answers = NonNullable<ScriptedProviderOptions<unknown>['commands']>

/** The events of a run that waits for a person: two approvals, and tool calls that failed or run. */
export function createOpening(run: AgentEventFactory): AgentEvent[] {
  const retryable = { message: 'Busy.', retryable: true }
  return [
    run.create('run.started', {}),
    run.create('approval.requested', { approvalId: 'a', version: 1, data: { amount: 3 } }),
    run.create('approval.requested', { approvalId: 'b', editable: false }),
    run.create('tool.requested', { toolCallId: 'failed', name: 'look' }),
    run.create('tool.failed', { toolCallId: 'failed', error: retryable }),
    run.create('tool.requested', { toolCallId: 'broken', name: 'look' }),
    run.create('tool.failed', { toolCallId: 'broken', error: { message: 'No.' } }),
    run.create('tool.requested', { toolCallId: 'pending', name: 'look' }),
  ]
}

/** A store with a run that is open, whose provider answers commands by script. */
export async function createCommandRun(options: {
  answers: Answers
  /** What the main stream brings after the opening. */
  rest?: readonly ScriptedStep[]
  capabilities?: ScriptedProviderOptions<unknown>['capabilities']
  /** Whether the main stream stays open; it does by default. */
  stays?: boolean
  commandTimeout?: number
}) {
  const { answers, rest = [], capabilities, stays = true, commandTimeout } = options
  const run = createRun('r1')
  const opening = createOpening(run)
  const provider = createScriptedProvider({
    steps: [{ events: opening }, ...rest, ...(stays ? [{ gate: createGate() }] : [])],
    commands: answers,
    capabilities,
  })
  const harness = createHarness({ providers: [provider], ids: ['r1', 'c1', 'c2', 'c3', 'c4', 'c5'], commandTimeout })
  const { store, agent } = harness
  const main = store.dispatch(agent.actions.startRun({ sessionId: 's1', provider: 'scripted', input: 'go' }))
  await endOfTask()
  const { resolveApproval, retryTool, cancelRun } = agent.actions
  return {
    ...harness,
    run,
    opening,
    provider,
    main,
    sent: () => provider.calls.commands.map(({ commandId }) => commandId),
    approve: (approvalId = 'a', data?: unknown) =>
      store.dispatch(
        resolveApproval({ runId: 'r1', approvalId, decision: data === undefined ? 'approved' : 'modified', data }),
      ),
    retry: (toolCallId = 'failed') => store.dispatch(retryTool({ runId: 'r1', toolCallId })),
    cancel: () => store.dispatch(cancelRun({ runId: 'r1', reason: 'enough' })),
    statusOf: (type: AgentCommandType, entityId?: string) =>
      harness.selectors.selectCommandForAction(store.getState(), { runId: 'r1', type, entityId }),
  }
}

/** The event that an approval was granted, at the run's next sequence. */
export const grant = (run: AgentEventFactory, approvalId = 'a') =>
  run.create('approval.resolved', { approvalId, decision: 'approved' })

/** Which answer a command gets, by the number of the sending. */
export function inTurn(...answers: (readonly ScriptedStep[])[]): (command: AgentCommand) => readonly ScriptedStep[] {
  let sent = 0
  return () => answers[sent++] ?? []
}
