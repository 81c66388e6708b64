import type { createTabPages } from './createTabPages.ts'

type TabPages = ReturnType<typeof createTabPages>
type OpenOptions = Parameters<TabPages['open']>[0]

/** Opens a session in two tabs, which know nothing of each other until they come to `rest`. */
export function openTwoTabs(pages: TabPages, options: { first?: OpenOptions; second?: OpenOptions } = {}) {
  const first = pages.open(options.first)
  const second = pages.open(options.second ?? { ids: ['tab-b', 'r2'] })
  const rest = async () => {
    await first.rest()
    await second.rest()
  }
  return { first, second, rest }
}
