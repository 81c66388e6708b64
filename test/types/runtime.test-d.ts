import { combineSlices, configureStore, type Reducer, type WithSlice } from '@reduxjs/toolkit'
import {
  createAgentRuntime,
  getReceivedEvents,
  type AgentActionResult,
  type AgentCommandState,
  type AgentConnectionState,
  type AgentEvent,
  type AgentReceivedEvent,
  type AgentRunConnection,
  type AgentRunState,
  type AgentRuntimeError,
  type AgentRuntimeOptions,
  type AgentSlice,
  type AgentState,
  type AgentTask,
  type AgentToolCallState,
  type MessageInfo,
} from 'redux-agent'
import { describe, expectTypeOf, it } from 'vitest'

const agent = createAgentRuntime({ reducerPath: 'helper' })
const store = configureStore({
  reducer: { todos: (state: string[] = []) => state, [agent.reducerPath]: agent.reducer },
  middleware: (getDefault) => getDefault().concat(agent.middleware),
})
const root = store.getState()

describe('a runtime', () => {
  it('keeps its literal path, `agent` by default', () => {
    expectTypeOf(agent.reducerPath).toEqualTypeOf<'helper'>()
    expectTypeOf(createAgentRuntime().reducerPath).toEqualTypeOf<'agent'>()
    expectTypeOf(agent.reducer).toExtend<Reducer<AgentSlice>>()
  })

  it('has selectors that take the app’s root state, and no other', () => {
    const { selectors } = agent
    expectTypeOf(root.helper).toEqualTypeOf<AgentSlice>()
    expectTypeOf(selectors.selectAgentState(root, 's')).toEqualTypeOf<AgentState>()
    expectTypeOf(selectors.selectRun(root, { runId: 'r' })).toEqualTypeOf<AgentRunState | undefined>()
    expectTypeOf(selectors.selectToolCall(root, { runId: 'r', toolCallId: 't' })).toEqualTypeOf<
      AgentToolCallState | undefined
    >()
    expectTypeOf(selectors.selectMessages(root, 's')).toEqualTypeOf<readonly MessageInfo[]>()
    expectTypeOf(selectors.selectRunConnection(root, 'r')).toEqualTypeOf<AgentRunConnection | undefined>()
    expectTypeOf(selectors.selectConnectionState(root, { runId: 'r' })).toEqualTypeOf<AgentConnectionState>()
    expectTypeOf(selectors.selectCommandForAction(root, { runId: 'r', type: 'run.cancel' })).toEqualTypeOf<
      AgentCommandState | undefined
    >()
    // @ts-expect-error the slice stands at "helper"
    selectors.selectAgentState({ agent: root.helper }, 's')
    // @ts-expect-error a command type that is none
    selectors.selectCommandForAction(root, { runId: 'r', type: 'run.pause' })
  })

  it('has thunks that a typed dispatch takes, and tasks that unwrap', () => {
    const { actions } = agent
    const run = store.dispatch(actions.startRun({ sessionId: 's', provider: 'p', input: 1 }))
    expectTypeOf(run.runId).toEqualTypeOf<string>()
    expectTypeOf(run.unwrap()).resolves.toEqualTypeOf<{ runId: string }>()
    const retry = store.dispatch(actions.retryTool({ runId: 'r', toolCallId: 't' }))
    expectTypeOf(retry).toEqualTypeOf<AgentTask<AgentActionResult>>()
    expectTypeOf(store.dispatch(actions.abortRun({ runId: 'r' }))).toBeVoid()
    // @ts-expect-error a person's decision is one of three
    actions.resolveApproval({ runId: 'r', approvalId: 'a', decision: 'expired' })
    // @ts-expect-error a run has a session
    actions.startRun({ provider: 'p', input: 1 })
  })

  it('tells a task’s outcome apart', async () => {
    const result = await store.dispatch(agent.actions.cancelRun({ runId: 'r' }))
    if ('data' in result) expectTypeOf(result.data).toEqualTypeOf<AgentActionResult>()
    else expectTypeOf(result.error).toBeUnknown()
  })

  it('has actions that reducers and listeners match', () => {
    const action: unknown = {}
    const { eventsReceived } = agent.events
    if (eventsReceived.match(action)) {
      expectTypeOf(getReceivedEvents(action)).toEqualTypeOf<readonly AgentEvent[]>()
      expectTypeOf(action.payload.events).toEqualTypeOf<readonly AgentReceivedEvent[]>()
      expectTypeOf(action.payload.sessionId).toEqualTypeOf<string>()
    }
  })

  it('is injected into combineSlices under its path', () => {
    const reducer = combineSlices({ todos: (state: string[] = []) => state }).withLazyLoadedSlices<
      WithSlice<typeof agent>
    >()
    const injected = reducer.inject(agent)
    expectTypeOf(injected.selector.original).not.toBeAny()
    expectTypeOf<ReturnType<typeof reducer>['helper']>().toEqualTypeOf<AgentSlice | undefined>()
    expectTypeOf<ReturnType<typeof injected>['helper']>().toEqualTypeOf<AgentSlice>()
  })

  it('has errors with literal codes', () => {
    expectTypeOf<AgentRuntimeError['code']>().not.toBeAny()
    expectTypeOf<'time_travel' | 'path_taken' | 'unknown_provider'>().toExtend<AgentRuntimeError['code']>()
    expectTypeOf<'whatever'>().not.toExtend<AgentRuntimeError['code']>()
  })

  it('takes no option that it does not know', () => {
    expectTypeOf<keyof AgentRuntimeOptions<'agent'>>().not.toBeAny()
    // @ts-expect-error it is `providers`
    createAgentRuntime({ provider: [] })
    // @ts-expect-error a path is text
    createAgentRuntime({ reducerPath: 7 })
  })
})
