import { join } from 'node:path'
import { bundleEntry } from './bundleEntry.ts'
import { getScriptEntries, readManifest } from './readManifest.ts'

interface Weights {
  /** The package's own code. */
  readonly own: number
  /** With its dependencies, which is what an app downloads that has only the peers already. */
  readonly total: number
}

/** Bytes, minified and gzipped: up to 15 % above what each entry takes now. */
const budgets: Readonly<Record<string, Weights>> = {
  '.': { own: 60_000, total: 69_500 },
  './react': { own: 71_000, total: 78_500 },
  './assistant-ui': { own: 4_000, total: 4_000 },
  './rtk-query': { own: 6_700, total: 14_700 },
  './testing': { own: 11_000, total: 18_000 },
  './adapters/ag-ui': { own: 28_000, total: 37_000 },
  './adapters/ai-sdk': { own: 21_500, total: 31_000 },
  './adapters/openai-chat': { own: 11_000, total: 17_500 },
  './adapters/openai-responses': { own: 19_200, total: 28_000 },
  './adapters/run-server': { own: 8_500, total: 16_800 },
}

export interface EntrySize extends Weights {
  readonly entry: string
  readonly budget: Weights
  readonly fits: boolean
}

export const measureEntries = async (packageFolder: string): Promise<readonly EntrySize[]> => {
  const manifest = await readManifest(packageFolder)
  const peers = withSubpaths(manifest.peerDependencies)
  const others = [...peers, ...withSubpaths(manifest.dependencies)]
  return Promise.all(
    [...getScriptEntries(manifest)].map(async ([entry, path]) => {
      const file = join(packageFolder, path)
      const [own, total] = await Promise.all([bundleEntry(file, others), bundleEntry(file, peers)])
      const weights: Weights = { own: own.gzipBytes, total: total.gzipBytes }
      // An entry that nobody gave a budget fits in none.
      const budget = budgets[entry] ?? { own: 0, total: 0 }
      return { entry, ...weights, budget, fits: weights.own <= budget.own && weights.total <= budget.total }
    }),
  )
}

const withSubpaths = (packages: Readonly<Record<string, string>>): readonly string[] =>
  Object.keys(packages).flatMap((name) => [name, `${name}/*`])
