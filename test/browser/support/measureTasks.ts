import type { Browser, Page } from 'playwright-core'

interface TraceEvent {
  readonly name: string
  readonly ph: string
  readonly pid: number
  readonly tid: number
  /** The processor's time that it took, in microseconds; without what other processes took meanwhile. */
  readonly tdur?: number
  readonly args: { readonly name?: string }
}

/**
 * The processor time of each task of the page's main thread while `work` runs, in milliseconds, the longest first. It
 * is what a long task is on a machine that has nothing else to do: by the clock, other tests would count as the page's.
 */
export const measureTasks = async (
  { browser, page }: { browser: Browser; page: Page },
  work: () => Promise<unknown>,
): Promise<readonly number[]> => {
  await browser.startTracing(page, { categories: ['toplevel'] })
  await work()
  const trace: { traceEvents: readonly TraceEvent[] } = JSON.parse((await browser.stopTracing()).toString())
  const threadOf = ({ pid, tid }: TraceEvent) => `${pid}:${tid}`
  const isMainThread = ({ name, args }: TraceEvent) => name === 'thread_name' && args.name === 'CrRendererMain'
  const mainThreads = new Set(trace.traceEvents.filter(isMainThread).map(threadOf))
  return trace.traceEvents
    .filter((event) => event.ph === 'X' && event.name.endsWith('RunTask') && mainThreads.has(threadOf(event)))
    .flatMap(({ tdur }) => (tdur === undefined ? [] : [tdur / 1000]))
    .sort((one, other) => other - one)
}
