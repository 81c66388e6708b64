import type { AgentEnvironment } from './agentEnvironment.ts'

/** Surroundings that can be let go of. */
export interface ReleasableEnvironment {
  readonly environment: AgentEnvironment
  /** The timers of what has yet to be waited for once all else is let go of. */
  readonly timers: Pick<AgentEnvironment, 'setTimer'>
  /** Calls off all that was asked for and has not come; from then on nothing comes that is asked for. */
  release(): void
}

/** Keeps account of the listeners, timers and frames that a runtime asks for, so that none outlives it. */
export function createReleasable(surroundings: AgentEnvironment): ReleasableEnvironment {
  const pending = new Set<() => void>()
  let isReleased = false

  /** Asks for what comes once, or again and again until it is called off. */
  function keep(ask: (done: () => void) => () => void): () => void {
    if (isReleased) return () => undefined
    let stop: (() => void) | undefined
    let isDone = false
    const end = () => {
      isDone = true
      pending.delete(end)
      stop?.()
    }
    stop = ask(() => {
      isDone = true
      pending.delete(end)
    })
    if (!isDone) pending.add(end)
    return end
  }

  const once = (callback: () => void, done: () => void) => () => {
    done()
    callback()
  }
  return {
    timers: surroundings,
    environment: {
      ...surroundings,
      setTimer: (callback, delay) => keep((done) => surroundings.setTimer(once(callback, done), delay)),
      ...(surroundings.requestFrame && {
        requestFrame: (callback: () => void) => keep((done) => surroundings.requestFrame!(once(callback, done))),
      }),
      onWake: (callback) => keep(() => surroundings.onWake(callback)),
      onHide: (callback) => keep(() => surroundings.onHide(callback)),
      onFreeze: (callbacks) => keep(() => surroundings.onFreeze(callbacks)),
    },
    release() {
      isReleased = true
      for (const end of [...pending]) end()
    },
  }
}
