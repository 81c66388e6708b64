import type { ThunkAction, UnknownAction } from '@reduxjs/toolkit'
import type { AgentCommandPayloadMap, AgentCommandType } from '../../src/protocol/agentCommand.ts'
import type { CheckpointCoordinator, OpenSessionOptions } from '../checkpoint/createCheckpointCoordinator.ts'
import type { RemoveSessionOptions } from '../checkpoint/createSessionRemoval.ts'
import { assertSessionId } from './assertSessionId.ts'
import { getRunOutlook } from '../connection/getRunOutlook.ts'
import { createAgentTask, type AgentTask } from './agentTask.ts'
import type { CommandRequest } from './createCommander.ts'
import type { FollowRunOptions } from './createFollower.ts'
import type { RunReading, StartRunOptions } from './runner.ts'
import { findRun } from './findRun.ts'
import type { RuntimeRegistry } from './createRuntimeRegistry.ts'
import type { StoreRuntime } from './createStoreRuntime.ts'
import type { AgentActionResult } from './storeContext.ts'

/** A thunk of any store that holds the runtime. */
export type AgentThunk<Result> = ThunkAction<Result, unknown, unknown, UnknownAction>

/**
 * The task of a run, which ends when nothing more comes of the run's local wire: the run is over, parked, let go of or
 * lost. A wire that is taken up again does not end it.
 */
export interface AgentRunTask extends AgentTask<{ runId: string }> {
  /** The run's id; empty where the start was refused, as there is no run then. */
  readonly runId: string
}

/** The run that an action is about; with a `sessionId`, a run of another session is refused. */
export interface AgentActionTarget {
  runId: string
  sessionId?: string | undefined
}

/** The runtime's thunks. A task's `unwrap()` rejects with what went wrong; the task itself never does. */
export interface AgentRuntimeActions {
  /**
   * Starts a run in a session. `unwrap` rejects with an AgentRuntimeError (`unknown_provider`, `invalid_provider`,
   * `invalid_option`, `invalid_session`, `time_travel`) where nothing was sent.
   */
  startRun(options: StartRunOptions): AgentThunk<AgentRunTask>
  /**
   * Takes a run up again whose wire is lost or was closed here, from its cursor; it replays nothing from the start onto
   * a run that has begun. Where the next attempt is waited for, it is made now. The task ends as that of `startRun`;
   * `unwrap` rejects with an AgentRuntimeError (`missing_run`, `run_ended`, `not_resumable`, `restoring`, `time_travel`)
   * where nothing was sent.
   */
  resumeRun(options: AgentActionTarget): AgentThunk<AgentRunTask>
  /**
   * Follows a run that somebody else drives, read-only, until the function is called that this gives: its events come
   * into the state of its session as those of any run do. One wire a run, however many follow it; what this store
   * started is not read twice, and goes on without followers. What is no longer followed is let go of a second later.
   *
   * @throws AgentRuntimeError (`unknown_provider`, `invalid_provider`, `not_followable`, `invalid_session`,
   * `invalid_option`, `time_travel`)
   * @experimental
   */
  followRun(options: FollowRunOptions): AgentThunk<() => void>
  /**
   * Lets go of the state of a run that has ended, as it stands elsewhere for good; whether there was one.
   *
   * @experimental
   */
  releaseRun(options: { runId: string }): AgentThunk<boolean>
  /** Closes the local wire of a run, or of a session's runs; it claims nothing about the server (RFC, section 10.3). */
  abortRun(options: { sessionId?: string; runId?: string }): AgentThunk<void>
  /** Asks the runtime to take a decision; `data` replaces the approval's data as a whole. */
  resolveApproval(
    options: AgentActionTarget & AgentCommandPayloadMap['approval.resolve'],
  ): AgentThunk<AgentTask<AgentActionResult>>
  /** Asks the runtime for another attempt at a failed tool call. */
  retryTool(options: AgentActionTarget & { toolCallId: string }): AgentThunk<AgentTask<AgentActionResult>>
  /** Asks the runtime to cancel a run, and waits for its word. */
  cancelRun(options: AgentActionTarget & { reason?: string }): AgentThunk<AgentTask<AgentActionResult>>
  /**
   * Restores a session from its storage and keeps it there from now on (RFC, section 12); without a storage nothing
   * happens. Asked for again it does nothing, unless the storage failed: then it is read once more. `unwrap` rejects with
   * an AgentCheckpointError, or with an AgentRuntimeError (`time_travel`, `invalid_session`, `invalid_option`); what
   * runs goes on all the same.
   */
  openSession(options: OpenSessionOptions): AgentThunk<AgentTask<void>>
  /**
   * Starts a session clean, in its storage and here: its wires are closed and its runs forgotten. With `forget`, for
   * logout, what its storage put in quarantine goes as well. A session that is not open here and has a storage of its own
   * is only found with that `checkpointStorage`. A run that is started meanwhile waits for it. `unwrap` rejects with an
   * AgentCheckpointError where the storage failed or hangs, and nothing has changed then.
   */
  removeSession(options: RemoveSessionOptions): AgentThunk<AgentTask<void>>
  /**
   * Lets go of a session here, as of one of many that nothing shows any more: it is saved, its wires are closed as when
   * a page goes, another tab may go on with it, and its state leaves the store. Opened again it comes back from its
   * storage, and goes on; without a storage it is gone. A chat that shows it opens it when it is mounted anew. What is
   * asked of the session meanwhile waits for it. `unwrap` rejects with an AgentCheckpointError where it could not be
   * saved, or with an AgentRuntimeError (`time_travel`, `invalid_session`), and it stays then.
   *
   * @experimental
   */
  closeSession(options: { sessionId: string }): AgentThunk<AgentTask<void>>
  /** Gives up what a session's commands wait for, as `interrupted`; it claims nothing about the runtime. */
  abortCommands(options: { sessionId: string }): AgentThunk<void>
  /**
   * Ends the runtime of this store for good, as where a store is replaced or its part of a page goes: its wires are
   * closed as when a page goes, its sessions saved and given to other tabs, its listeners and timers released. What is
   * asked of it later is refused (`runtime_destroyed`), as is what still waits for a storage. `unwrap` resolves once all
   * is saved; of a storage that hangs for a second, `onError` is told instead.
   *
   * @experimental
   */
  destroy(): AgentThunk<AgentTask<void>>
}

/** Begins a reading; what is refused at once is told as what fails later is: by the task. */
function read(begin: () => RunReading, known = ''): AgentRunTask {
  try {
    const { runId, finished } = begin()
    return Object.assign(createAgentTask(finished), { runId })
  } catch (error) {
    return Object.assign(createAgentTask(Promise.reject(error)), { runId: known })
  }
}

export function createThunks(registry: RuntimeRegistry): AgentRuntimeActions {
  const withRuntime =
    <Result>(use: (runtime: StoreRuntime) => Result): AgentThunk<Result> =>
    (dispatch, getState) =>
      use(registry.require(dispatch, getState))

  /** Of a runtime that was destroyed there is nothing to let go of any more: a component that goes last may still ask. */
  const withLive =
    (letGo: (runtime: StoreRuntime) => void): AgentThunk<void> =>
    (dispatch, getState) => {
      if (!registry.isRetired(dispatch)) letGo(registry.require(dispatch, getState))
    }

  const submit = <Type extends AgentCommandType>(request: CommandRequest<Type>) =>
    withRuntime(({ commander }) => createAgentTask(commander.submit(request)))

  const ofSession = (
    { sessionId }: { sessionId: string },
    work: (checkpoints: CheckpointCoordinator) => Promise<void>,
  ) =>
    withRuntime(({ checkpoints }) => {
      // What is refused at once is told by the task as well.
      const begin = async () => {
        assertSessionId(sessionId)
        await work(checkpoints)
      }
      return createAgentTask(begin())
    })

  return {
    startRun: (options) => withRuntime(({ runner }) => read(() => runner.start(options))),
    resumeRun: (target) => withRuntime(({ runner }) => read(() => runner.resume(target), target.runId)),
    followRun: (options) => withRuntime(({ follower }) => follower.attach(options)),
    releaseRun: ({ runId }) =>
      withRuntime(({ present, reconciler }) => {
        const { agentState } = present.get()
        const found = findRun(agentState, runId)
        if (!found || getRunOutlook(agentState, runId) !== 'ended') return false
        reconciler.release({ runId, sessionId: found.sessionId })
        return true
      }),
    abortRun: (options) => withLive(({ runner }) => runner.abort(options)),
    resolveApproval: ({ runId, sessionId, ...payload }) =>
      submit({ type: 'approval.resolve', runId, sessionId, payload }),
    retryTool: ({ runId, sessionId, ...payload }) => submit({ type: 'tool.retry', runId, sessionId, payload }),
    cancelRun: ({ runId, sessionId, ...payload }) => submit({ type: 'run.cancel', runId, sessionId, payload }),
    openSession: (options) => ofSession(options, (checkpoints) => checkpoints.open(options)),
    removeSession: (options) => ofSession(options, (checkpoints) => checkpoints.remove(options)),
    closeSession: (options) => (dispatch, getState) =>
      registry.isRetired(dispatch)
        ? createAgentTask(Promise.resolve())
        : ofSession(options, (checkpoints) => checkpoints.leave(options))(dispatch, getState, undefined),
    abortCommands: (options) => withLive(({ commander }) => commander.abort(options)),
    destroy: () => (dispatch, getState) => {
      if (registry.isRetired(dispatch)) return createAgentTask(Promise.resolve())
      const runtime = registry.require(dispatch, getState)
      const work = runtime.destroy()
      registry.retire(dispatch)
      return createAgentTask(work)
    },
  }
}
