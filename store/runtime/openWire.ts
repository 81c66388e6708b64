import type { AnyAgentProvider } from '../../src/provider/agentProvider.ts'
import { followSignal } from '../../src/provider/followSignal.ts'
import { runAgentProvider } from '../../src/provider/runAgentProvider.ts'
import { AgentTransportError } from '../../src/transport/agentTransportError.ts'
import { createBreather } from '../batch/createBreather.ts'
import type { AgentConnectionError } from '../connection/agentRunConnection.ts'
import type { LossVerdict } from '../connection/createLossJudge.ts'
import { getRunOutlook } from '../connection/getRunOutlook.ts'
import { describeError } from '../../src/provider/describeError.ts'
import type { LiveRun } from './liveRun.ts'
import type { StoreContext } from './storeContext.ts'
import { readSessionState } from './readSessionState.ts'
import { watchGap } from './watchGap.ts'

/** A lost wire, and what is to become of it. */
export interface WireLoss {
  readonly verdict: LossVerdict
  readonly described: AgentConnectionError
  /** What the server asked to wait, in milliseconds. */
  readonly retryAfter: number
}

const describeEarlyEnd = (providerId: string): AgentConnectionError => ({
  code: 'unexpected_end',
  message: `${providerId}: The stream ended before the run did. Send the request again, or start another run.`,
})

const describeStuckGap = (providerId: string): AgentConnectionError => ({
  code: 'sequence_gap',
  message: `${providerId}: Events of the run are missing, and the stream did not bring them. Continue the run, or start another one.`,
})

/**
 * Opens a run's wire once, after a cursor where there is one, and reads it to its end; gives the loss where that end
 * was none. An error is judged before it is known to the provider: `transformError` is called where nothing is tried
 * again, and never for a gap, which is a breach of the protocol.
 */
export async function openWire(
  context: StoreContext,
  live: LiveRun,
  wire: {
    provider: AnyAgentProvider
    cursor: string | undefined
    /** The run's last sequence, or -1. */
    before: number
    signal: AbortSignal
    onOpened: () => void
    judge: (error: unknown, isRetryable: boolean) => LossVerdict
  },
): Promise<WireLoss | undefined> {
  const { batcher, environment, present } = context
  const { provider, cursor, before, onOpened, judge } = wire
  const { runId, sessionId } = live
  const { capabilities, transport } = provider
  const isResumable = capabilities.resumable === true && transport.resume !== undefined
  const { controller, release } = followSignal(wire.signal)
  let loss: WireLoss | undefined
  let earlyEnd: AgentTransportError | undefined
  let isOpen = false
  let isStuck = false
  let highest = before
  const stopWatching = isResumable ? watchGap({ live, environment, onStuck }) : undefined

  const getOutlook = () => {
    batcher.flush()
    return getRunOutlook(present.get().agentState, runId)
  }

  function onStuck() {
    isStuck = true
    controller.abort()
  }

  function open() {
    if (!isOpen) onOpened()
    isOpen = true
  }

  try {
    await runAgentProvider({
      provider,
      input: live.input,
      run: {
        sessionId,
        runId,
        signal: controller.signal,
        now: environment.now,
        getAgentState: () => readSessionState(context, sessionId),
        ...(before >= 0 && { initialSequence: before }),
      },
      ...(cursor !== undefined && { resume: { cursor } }),
      onEvent(event) {
        highest = Math.max(highest, event.sequence)
        live.receive(event)
      },
      ...(isResumable && { onCursor: (next: string) => live.sequencer.moveCursor(next, highest) }),
      pause: createBreather(environment),
      onConnected: open,
      checkEnd() {
        const outlook = getOutlook()
        if (outlook === 'ended') return undefined
        // A proper end was a good response, also where it held nothing.
        open()
        if (outlook === 'parked' && !live.sequencer.hasGap()) return undefined
        earlyEnd = new AgentTransportError('incomplete', describeEarlyEnd(provider.id).message, { retryable: true })
        return earlyEnd
      },
      onTransportError(error, { retryable }) {
        // A wire that breaks after the run's end has nothing more to say.
        if (getOutlook() === 'ended') return 'stop'
        // Whoever aborted it did not mean to have it again, whatever the provider says (RFC, section 13.3).
        const verdict = judge(error, retryable && !isAbortError(error))
        const described = error === earlyEnd ? describeEarlyEnd(provider.id) : describeLoss(error)
        loss = { verdict, described, retryAfter: getRetryAfter(error) }
        return verdict === 'final' || verdict === 'spent' ? 'transform' : 'stop'
      },
    })
  } finally {
    stopWatching?.()
    release()
  }
  if (!isStuck || getOutlook() === 'ended') return loss
  return { verdict: judge(undefined, true), described: describeStuckGap(provider.id), retryAfter: 0 }
}

function describeLoss(error: unknown): AgentConnectionError {
  const { code, message } = describeError(error)
  return { code, message }
}

const isAbortError = (error: unknown) => (error as { name?: unknown } | null | undefined)?.name === 'AbortError'

function getRetryAfter(error: unknown): number {
  const stated = (error as { retryAfter?: unknown } | null | undefined)?.retryAfter
  return typeof stated === 'number' && stated > 0 ? stated : 0
}
