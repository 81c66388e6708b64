import { join } from 'node:path'
import { bundleEntry } from './bundleEntry.ts'
import { getScriptEntries, readManifest } from './readManifest.ts'

/** Bytes, minified and gzipped, with what the entry needs but the peers: about 15 % above what it takes now. */
const budgets: Readonly<Record<string, number>> = {
  '.': 20_000,
  './react': 20_000,
  './testing': 20_000,
  './adapters/run-server': 20_000,
}

export interface EntrySize {
  readonly entry: string
  readonly gzipBytes: number
  /** 0 for an entry that nobody gave a budget. */
  readonly budget: number
}

export const measureEntries = async (packageFolder: string): Promise<readonly EntrySize[]> => {
  const manifest = await readManifest(packageFolder)
  const peers = Object.keys(manifest.peerDependencies).flatMap((peer) => [peer, `${peer}/*`])
  return Promise.all(
    [...getScriptEntries(manifest)].map(async ([entry, file]) => {
      const { gzipBytes } = await bundleEntry(join(packageFolder, file), peers)
      return { entry, gzipBytes, budget: budgets[entry] ?? 0 }
    }),
  )
}
