import axe from 'axe-core'
import { expect, vi } from 'vitest'

/** Fails with what axe finds. Contrast is a browser's to measure: jsdom has no layout. */
export async function expectAccessible(element: Element): Promise<void> {
  const rules = { region: { enabled: false }, 'color-contrast': { enabled: false } }
  const run = axe.run(element, { rules })
  // axe yields by timers, and the test holds the clock.
  await vi.advanceTimersByTimeAsync(10)
  const { violations } = await run
  expect(violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])).toEqual([])
}
