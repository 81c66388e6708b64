import { writeSync } from 'node:fs'
import type { Reporter, SerializedError, TestModule } from 'vitest/node'

/**
 * Ends a run's output with one line for scripts, `N passed, N failed` (and `, N skipped`),
 * and names before it what passed only at a second try, so that a retry hides nothing, and says the note that it is given.
 * It is written when the process exits, since coverage reports itself only after the last reporter hook.
 */
export default class ClosingLineReporter implements Reporter {
  readonly #note: string | undefined

  // Vitest gives an object where it makes the reporter itself.
  constructor(note?: unknown) {
    this.#note = typeof note === 'string' ? note : undefined
  }

  onTestRunEnd(modules: readonly TestModule[], unhandledErrors: readonly SerializedError[]): void {
    const counts = countTests(modules)
    // What broke outside of a test (an import, a hook, a stray rejection) has no test to fail.
    const failed = counts.failed + counts.brokenModules + unhandledErrors.length
    if (counts.passed + failed === 0) process.exitCode = 1
    const retried = modules.flatMap(listRetried)
    process.once('exit', () => {
      if (this.#note !== undefined) writeSync(1, `\n${this.#note}`)
      for (const name of retried) writeSync(1, `\nPassed only at a second try: ${name}`)
      writeSync(1, `\n${formatClosingLine({ passed: counts.passed, failed, skipped: counts.skipped })}\n`)
    })
  }
}

const listRetried = (module: TestModule): readonly string[] =>
  [...module.children.allTests('passed')].filter((test) => test.diagnostic()?.flaky).map((test) => test.fullName)

interface TestCounts {
  readonly passed: number
  readonly failed: number
  readonly skipped: number
}

const formatClosingLine = ({ passed, failed, skipped }: TestCounts): string =>
  `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`

const countTests = (modules: readonly TestModule[]): TestCounts & { readonly brokenModules: number } => {
  const counts = { passed: 0, failed: 0, skipped: 0, brokenModules: 0 }
  for (const module of modules) {
    let failedHere = 0
    for (const test of module.children.allTests()) {
      const { state } = test.result()
      if (state === 'passed') counts.passed += 1
      else if (state === 'failed') failedHere += 1
      else counts.skipped += 1
    }
    counts.failed += failedHere
    if (failedHere === 0 && module.state() === 'failed') counts.brokenModules += 1
  }
  return counts
}
