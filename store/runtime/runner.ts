import type { AnyAgentProvider } from '../../src/provider/agentProvider.ts'
import type { AgentReconnectOptions } from '../connection/agentReconnectOptions.ts'
import type { AgentConnectionState } from '../connection/agentRunConnection.ts'
import type { AdoptedWire } from './adoptedWire.ts'
import type { RunTransfer } from './createRunTransfer.ts'
import type { LiveRun } from './liveRun.ts'

/** What a run is started with. */
export interface StartRunOptions {
  sessionId: string
  /** The provider, or the id of one that is known. */
  provider: AnyAgentProvider | string
  input: unknown
  /** The run's id, where the app mints it, so that asking twice is one run; one that is known here is not started again. */
  runId?: string | undefined
  /** How this run's wire is taken up again; the runtime's way by default. */
  reconnect?: false | AgentReconnectOptions | undefined
}

/** A run that was started elsewhere: in a page before this one, in another tab. */
export interface RestoredRun {
  runId: string
  sessionId: string
  /** The provider need not be known yet. */
  providerId: string
  /** What the run was started with, so that its request can be made anew; absent where that is not known. */
  input?: { value: unknown } | undefined
  cursor?: string | undefined
  /** The sequence that the cursor stands at, where the state is behind it. */
  readTo?: number | undefined
  detached?: boolean | undefined
  /** Where its connection stands before anything is done about it; `idle` by default. */
  state?: AgentConnectionState | undefined
  /** Whether it is the session's latest run. */
  isLatest: boolean
  /** How its wire is taken up again; the runtime's way by default. */
  reconnect?: false | AgentReconnectOptions | undefined
}

/** What reads a run's wire, until nothing more comes of it. */
export interface RunReading {
  runId: string
  finished: Promise<{ runId: string }>
}

/** Starts, drives and lets go of the runs of one store. */
export interface Runner extends RunTransfer {
  start(options: StartRunOptions): RunReading
  /** Drives a requested or resumed run; started by the listener, hence by live dispatches alone. */
  drive(runId: string): Promise<void>
  /**
   * Takes a run up again by hand: one that is lost, detached, or restored. One whose next attempt is waited for is
   * tried at once.
   *
   * @throws AgentRuntimeError (`time_travel`, `restoring`, `missing_run`, `run_ended`, `not_resumable`)
   */
  resume(target: { runId: string; sessionId?: string | undefined }): RunReading
  /** Follows a dense run again whose wire is closed, once a command of it was answered (design, section 6). */
  follow(runId: string): void
  /**
   * Reads a run that somebody else drives (design, section 9): without commands, and without taking it up.
   *
   * @throws AgentRuntimeError (`time_travel`, `unknown_provider`, `invalid_provider`, `not_followable`)
   */
  watch(run: { runId: string; sessionId: string; provider: AnyAgentProvider | string }): RunReading
  /** Whether a run's wire is being read here, or waits for its next attempt. */
  isReading(runId: string): boolean
  /** Makes a restored run known; nothing is sent. */
  restore(run: RestoredRun): void
  /** Forgets a session's runs. */
  forget(sessionId: string): void
  /** What a run was started with, where that is known. */
  inputOf(runId: string): { value: unknown } | undefined
  /** How far a run was read, where the state is behind that: what came last was refused. */
  readTo(runId: string): number | undefined
  /**
   * Takes a wire that is open already for the run's main wire, such as the rest of a command's answer
   * (design, section 6); resolves when that wire has ended.
   */
  adopt(live: LiveRun, wire: AdoptedWire): Promise<void>
  /**
   * Lets go of runs; `isLocal` where the tab that reads them is not to hear of it. Of requests that wait, those stay
   * whose wait `isKept` says so of.
   */
  abort(options: {
    sessionId?: string | undefined
    runId?: string | undefined
    isLocal?: boolean
    isKept?: (wait: Promise<void>) => boolean
  }): void
  /** Closes a session's wires, as a page does that goes: nobody let go of its runs. Requests that wait are as of `abort`. */
  leave(options: { sessionId: string; isKept: (wait: Promise<void>) => boolean }): void
  /** Closes every wire, as a page does that goes: nobody let go of the runs. What waited for a wire is over. */
  close(): void
  /** What the runtime holds of a run, also of one that it did not start. */
  liveRunOf(runId: string): LiveRun | undefined
}
