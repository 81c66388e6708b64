import { useCallback, useEffect, useInsertionEffect, useMemo, useRef, useState, useSyncExternalStore } from 'react'
import type { Store } from '@reduxjs/toolkit'
import { useSelector, useStore } from 'react-redux'
import type { MessageInfo } from '../../src/selectors/messageInfo.ts'
import type { AgentRootState } from '../../store/runtime/agentSlice.ts'
import { joinHistory } from '../history/joinHistory.ts'
import { toHistoryMessages } from '../history/toHistoryMessages.ts'
import type { HookRuntime } from '../hookRuntime.ts'
import type { ProviderCapabilities } from '../run/createProviderCapabilities.ts'
import { useAgentActions } from '../run/useAgentActions.ts'
import { useThunkDispatch } from '../run/useThunkDispatch.ts'
import { applyMessageEdits } from './applyMessageEdits.ts'
import type { ChatMessage } from './chatMessage.ts'
import { createMessageEditor } from './createMessageEditor.ts'
import { createMessageParsing } from './createMessageParsing.ts'
import { createRunInputs, type RunInputs } from './createRunInputs.ts'
import { createSessionUsers, type SessionUsers } from './createSessionUsers.ts'
import { createStateReader } from './createStateReader.ts'
import { createUseSessionId } from './createUseSessionId.ts'
import { createXChatActions, type ChatTarget } from './createXChatActions.ts'
import type { ChatMessageInfo } from './messageEdits.ts'
import { toDefaultMessages } from './toDefaultMessages.ts'
import { useAbortOnUnmount } from './useAbortOnUnmount.ts'
import { useOpenSession } from './useOpenSession.ts'
import { useLeaveSession } from './useLeaveSession.ts'
import type { UseAgentChat, XChat, XChatOptions } from './xChat.ts'

type Root = AgentRootState<string>

const getRunId = ({ message }: ChatMessageInfo) => message.runId

function joinMessages(
  defaults: readonly ChatMessageInfo[],
  history: readonly ChatMessageInfo[],
  own: readonly ChatMessageInfo[],
): readonly ChatMessageInfo[] {
  const joined = joinHistory(history, own, getRunId)
  return defaults.length > 0 ? [...defaults, ...joined] : joined
}

/** Makes `useXChat` of a runtime. */
export function createUseXChat(agent: HookRuntime, capabilities: ProviderCapabilities): UseAgentChat {
  const { selectors, actions } = agent
  const useSessionId = createUseSessionId()
  const readState = createStateReader(selectors)
  const inputsByStore = new WeakMap<object, RunInputs>()
  const usersByStore = new WeakMap<object, SessionUsers>()

  function inputsOf(store: Store<Root>): RunInputs {
    function isKnown(sessionId: string): boolean {
      const root = store.getState()
      // A run that waits for its session, or whose request is on its way, has brought nothing yet.
      const isAwaited = selectors.selectConnectionState(root, { sessionId }) !== 'idle'
      return isAwaited || selectors.selectSession(root, sessionId) !== undefined
    }
    const inputs = inputsByStore.get(store) ?? createRunInputs(isKnown)
    inputsByStore.set(store, inputs)
    return inputs
  }

  function usersOf(store: object): SessionUsers {
    const users = usersByStore.get(store) ?? createSessionUsers()
    usersByStore.set(store, users)
    return users
  }

  function useDefaults(sessionId: string, given: XChatOptions<never, unknown>['defaultMessages']) {
    const [bySession] = useState(() => new Map<string, readonly ChatMessageInfo[]>())
    // They are a session's beginning: an array written anew at each render does not change it.
    const defaults = bySession.get(sessionId) ?? toDefaultMessages(given ?? [])
    bySession.set(sessionId, defaults)
    return defaults
  }

  function useTarget<Input>(options: {
    sessionId: string
    provider: ChatTarget<Input>['provider']
    defaults: readonly ChatMessageInfo[]
    history: readonly ChatMessageInfo[]
    reconnect: ChatTarget<Input>['reconnect']
  }): () => ChatTarget<Input> {
    const { sessionId, provider, defaults, history, reconnect } = options
    const store = useStore<Root>()
    const dispatch = useThunkDispatch()
    const target: ChatTarget<Input> = {
      sessionId,
      provider,
      reconnect,
      readMessages: () => joinMessages(defaults, history, selectors.selectMessages(store.getState(), sessionId)),
      readInput: (runId) =>
        inputsOf(store).get({ sessionId, runId }) ?? selectors.selectRun(store.getState(), { runId })?.input,
      start(run) {
        const task = dispatch(actions.startRun(run))
        if (task.runId !== '') inputsOf(store).keep({ ...run, runId: task.runId })
        return task
      },
      resume() {
        // A session without a run has none to take up: the task says so.
        const runId = selectors.selectLatestRunConnection(store.getState(), sessionId)?.runId ?? ''
        return dispatch(actions.resumeRun({ runId, sessionId }))
      },
      abort: (of) => dispatch(actions.abortRun(of)),
    }
    const latest = useRef(target)
    useInsertionEffect(() => {
      latest.current = target
    })
    return useState(() => () => latest.current)[0]
  }

  return function useXChat<Input, Parsed = ChatMessage>(options: XChatOptions<Input, Parsed>): XChat<Input, Parsed> {
    const { provider, parser } = options
    const store = useStore<Root>()
    const dispatch = useThunkDispatch()
    const sessionId = useSessionId(options.conversationKey)
    const agentActions = useAgentActions(agent, sessionId)
    const defaults = useDefaults(sessionId, options.defaultMessages)
    const [editor] = useState(createMessageEditor)
    const history = useMemo(() => toHistoryMessages(options.history ?? []), [options.history])
    const target = useTarget<Input>({ sessionId, provider, defaults, history, reconnect: options.reconnect })
    const [chat] = useState(() => createXChatActions<Input>({ target, editor }))

    const session = useSelector((root: Root) => selectors.selectSession(root, sessionId))
    const own = useSelector((root: Root) => selectors.selectMessages(root, sessionId))
    const commandStates = useSelector((root: Root) => selectors.selectCommandStates(root, sessionId))
    const latestCommandByAction = useSelector((root: Root) => selectors.selectLatestCommandByAction(root, sessionId))
    const connectionState = useSelector((root: Root) => selectors.selectConnectionState(root, { sessionId }))
    const isRequesting = useSelector((root: Root) => selectors.selectIsRequesting(root, sessionId))
    const readEdits = () => editor.get(sessionId)
    const edits = useSyncExternalStore(editor.subscribe, readEdits, readEdits)

    const messages = useMemo(
      () => applyMessageEdits(joinMessages(defaults, history, own), edits),
      [defaults, history, own, edits],
    )
    const [parse] = useState(() => createMessageParsing<Parsed>())
    const parsedMessages = useMemo(
      // Without a parser what is parsed is the message itself, which is then the type's default.
      () => (parser ? parse(messages, parser) : (messages as readonly MessageInfo<Parsed>[])),
      [messages, parser, parse],
    )

    const checkpointError = useSelector((root: Root) => selectors.selectCheckpointError(root, sessionId))

    useEffect(() => {
      if (typeof provider === 'object') capabilities.add(provider)
    }, [provider])
    const { conversationKey, checkpointStorage } = options
    // Nobody could name such a session again after a reload.
    const isNamed = typeof conversationKey === 'string' || typeof conversationKey === 'number'
    const open = useCallback(() => {
      const { provider, reconnect } = target()
      return dispatch(actions.openSession({ sessionId, provider, checkpointStorage, reconnect }))
    }, [dispatch, target, sessionId, checkpointStorage])
    useOpenSession(agent.reducerPath, isNamed ? open : undefined)
    useAbortOnUnmount(options.abortOnUnmount ?? false, chat.abort)
    useLeaveSession(sessionId, usersOf(store), (left) => dispatch(actions.abortCommands({ sessionId: left })))

    return {
      ...chat,
      sessionId,
      messages,
      parsedMessages,
      get agentState() {
        return readState(store.getState(), { sessionId, session })
      },
      agentActions,
      commandStates,
      latestCommandByAction,
      connectionState,
      checkpointError,
      isRequesting,
    }
  }
}
