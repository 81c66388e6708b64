import type { AgentEnvironment } from '../batch/agentEnvironment.ts'

/** Waits for work, but not for longer than so many milliseconds: then there is nothing, and the work goes on. */
export async function within<Value>(
  work: Promise<Value>,
  { environment, time }: { environment: Pick<AgentEnvironment, 'setTimer'>; time: number },
): Promise<Value | undefined> {
  let stopTimer: (() => void) | undefined
  const timeout = new Promise<undefined>((resolve) => {
    stopTimer = environment.setTimer(() => resolve(undefined), time)
  })
  return Promise.race([work, timeout]).finally(() => stopTimer?.())
}
