import type { AgentState } from '../../state/agentState.ts'
import { getOwn } from '../../state/ownRecord.ts'
import { AgentTransportError } from '../../transport/agentTransportError.ts'
import type { AgUiHandlers } from './agUiHandlers.ts'
import type { AgUiProgress } from './agUiProgress.ts'
import type { AgUiEnding, AgUiScope } from './agUiScope.ts'
import type { AgUiParts } from './createAgUiParts.ts'
import { createSavedEntries } from './createSavedEntries.ts'
import type { AgUiEventOf } from './parseAgUiEvent.ts'
import { addUsage, readUsage } from './readUsage.ts'

type RunEventType = 'RUN_STARTED' | 'RUN_FINISHED' | 'RUN_ERROR'
type RunError = Extract<AgUiEnding, { status: 'failed' }>['error']

/** The AG-UI runs of a run, one after the other, and what they come to. */
export interface WireRun {
  readonly handlers: AgUiHandlers<RunEventType>
  hasEnded(): boolean
  /** Whether nothing is under way, and questions wait for their answers. */
  isParked(): boolean
  /** Notes what LangGraph asks by a CUSTOM event, which counts once the AG-UI run is over. */
  askLegacy(value: unknown): void
  /** What was so asked and does not count yet. */
  saveLegacy(): string | undefined
  fail(error: RunError): void
  cancel(reason?: string): void
  /**
   * Says what the end of the connection means for what its events left open.
   *
   * @throws AgentTransportError `incomplete` where an AG-UI run was still under way.
   */
  settle(): void
}

export function createWireRun(
  scope: AgUiScope,
  parts: AgUiParts,
  run: {
    state: AgentState | undefined
    progress: AgUiProgress
    /** Says why the run is being stopped, where it is. */
    getStopping: () => { reason?: string | undefined } | undefined
  },
): WireRun {
  const { emit } = scope
  const { approvals, tools, lanes } = parts
  const known = run.state && getOwn(run.state.runs, scope.runId)
  let hasEnded = known !== undefined && known.status !== 'running'
  /** Whether an AG-UI run is under way, and not just what it left to be answered. */
  let isUnderWay = true
  let legacy: unknown[] = []
  let savedLegacy = createSavedEntries()
  for (const value of run.progress.questions ?? []) askLegacy(value)
  /** How the last AG-UI run ended well, should its questions be answered without another one. */
  let finished: AgUiEventOf<'RUN_FINISHED'> | undefined

  function end(ending: AgUiEnding) {
    parts.close(ending)
    hasEnded = true
  }

  function fail(error: RunError) {
    end({ status: 'failed', error })
    emit('run.failed', { error })
  }

  function cancel(reason?: string) {
    end({ status: 'cancelled', reason })
    emit('run.cancelled', { ...(reason !== undefined && { reason }) })
  }

  function complete({ outcome, result }: Pick<AgUiEventOf<'RUN_FINISHED'>, 'outcome' | 'result'>) {
    const { usage } = scope
    end({ status: 'completed' })
    const isUnknown = outcome !== undefined && outcome.type !== 'success' && outcome.type !== 'interrupt'
    const payload = { ...(result !== undefined && { output: result }), ...(usage && { usage }) }
    emit('run.completed', payload, { meta: isUnknown ? { unknownOutcome: true } : {} })
  }

  /** What streams does not go on where the AG-UI run is over; what may be answered stays open. */
  function park() {
    parts.messages.close({ status: 'completed' })
    parts.reasoning.close({ status: 'completed' })
  }

  function askLegacy(value: unknown) {
    savedLegacy.set(`${legacy.length}`, JSON.stringify(value) ?? 'null')
    legacy.push(value)
  }

  function forgetLegacy() {
    legacy = []
    savedLegacy = createSavedEntries()
  }

  /** Asks what an AG-UI run leaves to be answered. */
  function ask({ outcome }: AgUiEventOf<'RUN_FINISHED'>) {
    const asked = legacy
    forgetLegacy()
    if (outcome?.type === 'interrupt') {
      const { interrupts = [] } = outcome
      if (interrupts.length === 0 && asked.length === 0) scope.fail('is an interrupt that asks nothing')
      for (const interrupt of interrupts) {
        const { toolCallId } = interrupt
        approvals.interrupt(interrupt, toolCallId === undefined ? undefined : tools.find(toolCallId))
      }
      // What was asked in the old way as well is the same question.
      if (interrupts.length === 0) asked.forEach(approvals.askLegacy)
      return
    }
    asked.forEach(approvals.askLegacy)
    const pending = outcome?.pendingToolCallIds
    tools.settle()
    for (const tool of tools.unanswered()) {
      const isOurs = pending ? pending.includes(tool.id) : tools.ownerOf(tool.name) !== 'server'
      if (isOurs && approvals.waitingFor(tool.id) === undefined) approvals.askResult(tool)
    }
  }

  return {
    hasEnded: () => hasEnded,
    isParked: () => !isUnderWay && !hasEnded && approvals.hasWaiting(),
    askLegacy,
    saveLegacy: () => savedLegacy.toJson(),
    fail,
    cancel,

    settle() {
      if (hasEnded) return
      parts.settle()
      if (approvals.hasWaiting()) {
        // Another AG-UI run that broke off answers nothing: what was asked before it stands.
        lanes.close()
        return park()
      }
      // Where all questions were answered meanwhile, nothing else comes of the run that asked them.
      if (!isUnderWay) return complete(finished ?? {})
      const message = `${scope.adapter}: The stream ended before the AG-UI run did; what came is kept.`
      throw new AgentTransportError('incomplete', message, { adapter: scope.adapter, retryable: true })
    },

    handlers: {
      RUN_STARTED({ runId: wireRunId, input }) {
        isUnderWay = true
        forgetLegacy()
        if (wireRunId !== undefined) scope.wireRunId = wireRunId
        if (Array.isArray(input?.resume)) approvals.takeAnswers(input.resume)
      },

      RUN_FINISHED(event) {
        // Said again while its questions wait, it says nothing new; once they are answered, it is the end.
        if (!isUnderWay && approvals.hasWaiting()) return
        isUnderWay = false
        finished = event
        lanes.close()
        scope.usage = addUsage(scope.usage, readUsage(event.usage))
        if (event.outcome?.type === 'cancelled') return cancel()
        ask(event)
        parts.settle()
        if (approvals.hasWaiting()) park()
        else complete(event)
      },

      RUN_ERROR({ message, code, usage }) {
        scope.usage = addUsage(scope.usage, readUsage(usage))
        // The failure of a run that nobody asked for does not answer what another one asked.
        if (isUnderWay && approvals.hasWaiting()) return void (isUnderWay = false)
        const stopping = run.getStopping()
        if (stopping && /abort|cancel/i.test(code ?? '')) return cancel(stopping.reason)
        fail({ message: message || `${scope.adapter}: The agent failed without saying why.`, ...(code !== undefined && { code }) })
      },
    },
  }
}
