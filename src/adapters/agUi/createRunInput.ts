import { isRecord } from '../../protocol/predicates.ts'
import type { AgentState } from '../../state/agentState.ts'
import type { AgUiMappingOptions } from './agUiOptions.ts'
import type { AgUiInput } from './agUiRequest.ts'
import type { AgUiMessage, AgUiResumeEntry, AgUiRunInput, AgUiTool } from './agUiWire.ts'
import { isSharedState } from './mapState.ts'
import { toAgUiMessages } from './toAgUiMessages.ts'

const resolve = <Value>(value: Value | (() => Value)): Value =>
  typeof value === 'function' ? (value as () => Value)() : value

/** The tools that the page offers in a run. */
export function getOfferedTools(options: AgUiMappingOptions, input: AgUiInput): readonly AgUiTool[] {
  return [...resolve(options.tools ?? []), ...(input.tools ?? [])]
}

/** The shared state as the conversation has it last; a run's own input replaces it while the run has none yet. */
export function getSharedState(
  state: AgentState | undefined,
  { options, input, runId }: { options: AgUiMappingOptions; input: AgUiInput; runId: string },
): unknown {
  const shared = Object.values(state?.artifacts ?? {}).filter(({ id, name }) => name === 'state' && isSharedState(id))
  const own = shared.findLast((artifact) => artifact.runId === runId)
  if (own) return own.content
  if (input.state !== undefined) return input.state
  const latest = shared.at(-1)
  return latest ? latest.content : (options.initialState ?? {})
}

/** Reads the input that a run was started with out of its state, which may come from storage. */
export function readRunInput(state: AgentState | undefined, runId: string): AgUiInput {
  const input = state && Object.hasOwn(state.runs, runId) ? state.runs[runId]!.input : undefined
  return isRecord(input) ? (input as AgUiInput) : {}
}

/** Makes the request of an AG-UI run; all that servers of before 1.0 ask for is there, and nothing is `null`. */
export function createRunInput(run: {
  options: AgUiMappingOptions
  input: AgUiInput
  state: AgentState | undefined
  threadId: string
  runId: string
  wireRunId: string
  /** Messages after those of the state. */
  more?: readonly AgUiMessage[]
  resume?: readonly AgUiResumeEntry[]
  forwardedProps?: Readonly<Record<string, unknown>>
}): AgUiRunInput {
  const { options, input, state, threadId, runId, wireRunId, more = [], resume = [] } = run
  const { protocolVersion = '1.0' } = options
  const known = state ? toAgUiMessages(state) : []
  return {
    threadId,
    runId: wireRunId,
    ...(protocolVersion !== false && { protocolVersion }),
    messages: [...known, ...more.filter(({ id }) => !known.some((message) => message.id === id))],
    state: getSharedState(state, { options, input, runId }),
    tools: getOfferedTools(options, input),
    context: [...resolve(options.context ?? []), ...(input.context ?? [])],
    forwardedProps: { ...options.forwardedProps, ...input.forwardedProps, ...run.forwardedProps },
    ...(resume.length > 0 && { resume }),
  }
}
