import { beforeEach, vi } from 'vitest'

/** Puts timers and frames into the hands of `settle`; the host's own turns go on. */
export function holdTestClock(): void {
  const toFake = ['setTimeout', 'clearTimeout'] as const
  const frames = ['requestAnimationFrame', 'cancelAnimationFrame'] as const
  beforeEach(() => {
    vi.useFakeTimers({ toFake: [...toFake, ...(typeof requestAnimationFrame === 'function' ? frames : [])] })
  })
}
