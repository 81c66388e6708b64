import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config'
import ClosingLineReporter from './support/closingLineReporter.ts'
import { findRecordings } from './support/findRecordings.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const domTests = ['test/features/**/*.test.ts', 'test/**/*.test.tsx']
const packageTests = ['test/package/**/*.test.ts', 'test/docs/**/*.test.ts']
const browserTests = ['test/browser/**/*.test.ts']

const leftOut =
  'Left out: the tests of recordings of real services, as ../shared/fixtures is not there. Those of our own recordings ran.'

const project = (test: TestProjectInlineConfiguration['test']): TestProjectInlineConfiguration => ({
  extends: true,
  test,
})

// Vite resolves the package's entries by the paths of tsconfig.json, so tests name them as an app does.
export default defineConfig({
  root,
  resolve: { tsconfigPaths: true },
  test: {
    // No test measures time: a busy machine is no failure. What hangs is found by these limits, only later.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 60_000 } },
    // Vitest leaves one of the processors free, which is half of a small machine.
    maxWorkers: availableParallelism(),
    restoreMocks: true,
    unstubGlobals: true,
    unstubEnvs: true,
    reporters: ['default', new ClosingLineReporter(findRecordings() === undefined ? leftOut : undefined)],
    coverage: {
      provider: 'v8',
      include: ['src/**/*.{ts,tsx}', 'store/**/*.{ts,tsx}'],
      reportsDirectory: 'coverage',
      reporter: ['text-summary', 'json-summary', 'html'],
      thresholds: {
        statements: 90,
        branches: 90,
        functions: 90,
        lines: 90,
        // What becomes of commands and checkpoints: each way out is one that a person meets once.
        'src/checkpoint/**': { branches: 100 },
        'store/checkpoint/**': { branches: 100 },
        'store/commandStates/**': { branches: 100 },
      },
    },
    projects: [
      project({
        name: 'node',
        include: ['test/**/*.test.ts'],
        exclude: [...domTests, ...packageTests, ...browserTests],
      }),
      project({ name: 'jsdom', environment: 'jsdom', include: domTests, exclude: browserTests }),
      project({
        name: 'types',
        include: [],
        typecheck: {
          enabled: true,
          only: true,
          include: ['test/types/**/*.test-d.ts'],
          tsconfig: 'test/support/tsconfig.types.json',
        },
      }),
      // What starts compilers or Chromium comes after the rest, so that it takes no test's processor from it.
      project({
        name: 'package',
        include: packageTests,
        testTimeout: 300_000,
        hookTimeout: 300_000,
        sequence: { groupOrder: 1 },
      }),
      project({
        name: 'browser',
        include: browserTests,
        globalSetup: 'test/browser/support/buildPages.ts',
        // Whole browsers and servers share the machine: what needed a second try is named at the end.
        retry: process.env.CI ? 1 : 0,
        testTimeout: 300_000,
        hookTimeout: 300_000,
        // Each file has a browser, a server and data of its own. More of them would only be in each other's way.
        maxWorkers: 2,
        sequence: { groupOrder: 2 },
      }),
    ],
  },
})
