import { crashPoints, type CrashPoint } from './runs/crashPoint.ts'

/**
 * Makes the hook that kills this process at once, as a power cut would, at the point that `CRASH_AT` names; with
 * `point:3` the third time that it comes by.
 *
 * @throws Error where there is no such point.
 */
export function createCrashPoint(crashAt: string | undefined): CrashPoint {
  if (!crashAt) return () => undefined
  const [wanted, turn = '1'] = crashAt.split(':')
  if (!crashPoints.some((name) => name === wanted)) {
    throw new Error(`CRASH_AT names no point "${wanted}". Use one of: ${crashPoints.join(', ')}.`)
  }
  let left = Number(turn)
  return (name) => {
    if (name !== wanted) return
    left -= 1
    if (left === 0) process.kill(process.pid, 'SIGKILL')
  }
}
