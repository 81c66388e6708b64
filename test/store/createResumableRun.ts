import { AgentTransportError, type AgentEvent } from 'redux-agent'
import {
  createFaultyTransport,
  createScriptedProvider,
  type ScriptedProviderOptions,
  type ScriptedStep,
  type TransportConnection,
  type TransportFaults,
} from 'redux-agent/testing'
import { createHarness, endOfTask } from './createHarness.ts'

/** A loss that is worth another try. */
export const lost = (options: { retryAfter?: number } = {}) =>
  new AgentTransportError('network', 'Cut.', { retryable: true, ...options })

/** A refusal by status. */
export const refused = (status: number) => new AgentTransportError('http_status', `Status ${status}.`, { status })

/**
 * A store with a run whose provider can resume, dense unless said otherwise; `plan` breaks its connections, and each
 * event is a chunk of its own whose cursor is the event's place.
 */
export function createResumableRun(
  options: Omit<Partial<ScriptedProviderOptions<unknown>>, 'steps'> & {
    events?: readonly AgentEvent[]
    steps?: readonly ScriptedStep[] | (() => readonly ScriptedStep[])
    plan?: (connection: TransportConnection) => TransportFaults
    harness?: Parameters<typeof createHarness>[0]
    reconnect?: Parameters<ReturnType<typeof createHarness>['agent']['actions']['startRun']>[0]['reconnect']
  },
) {
  const { events = [], steps, plan = () => ({}), harness: harnessOptions, reconnect, ...provided } = options
  const scripted = createScriptedProvider({
    steps: steps ?? events.map((event) => ({ events: [event] })),
    classifyError: (error) => ({ retryable: error instanceof AgentTransportError && error.retryable }),
    ...provided,
    capabilities: { resumable: true, sequence: 'dense', ...provided.capabilities },
  })
  const connections: TransportConnection[] = []
  const provider = {
    ...scripted,
    transport: createFaultyTransport(scripted.transport, (connection) => {
      connections.push(connection)
      return plan(connection)
    }),
  }
  const harness = createHarness({ providers: [provider], ids: ['r1', 'c1', 'c2'], ...harnessOptions })
  const { store, agent } = harness
  const start = () =>
    store.dispatch(agent.actions.startRun({ sessionId: 's1', provider: 'scripted', input: 'go', reconnect }))
  return {
    ...harness,
    provider,
    start,
    resume: () => store.dispatch(agent.actions.resumeRun({ runId: 'r1' })),
    /** What was opened, in order: `open`, or the cursor of a resume. */
    opened: () => connections.map(({ kind, cursor }) => cursor ?? kind),
    errors: () => provider.calls.errors,
    /** Lets what is under way come to a rest. */
    async rest() {
      for (let turn = 0; turn < 5; turn += 1) await endOfTask()
    },
    /** Lets the wait before the next attempt end, which lasts so long. */
    async retryAfter(delay: number) {
      for (let turn = 0; turn < 5; turn += 1) await endOfTask()
      if (harness.fireTimers(delay) === 0) throw new Error(`Nothing waits ${delay} ms, but ${harness.delays().join()}.`)
      for (let turn = 0; turn < 5; turn += 1) await endOfTask()
    },
  }
}
