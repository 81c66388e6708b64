import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import * as z from 'zod'

const Manifest = z.object({
  name: z.string(),
  exports: z.record(z.string(), z.union([z.string(), z.object({ types: z.string(), default: z.string() })])),
  dependencies: z.record(z.string(), z.string()),
  peerDependencies: z.record(z.string(), z.string()),
})

export type Manifest = z.infer<typeof Manifest>

export const readManifest = async (packageFolder: string): Promise<Manifest> =>
  Manifest.parse(JSON.parse(await readFile(join(packageFolder, 'package.json'), 'utf8')))

/** The entries that are JavaScript, with the file of each. */
export const getScriptEntries = (manifest: Manifest): ReadonlyMap<string, string> =>
  new Map(
    Object.entries(manifest.exports).flatMap(([entry, target]) =>
      typeof target === 'string' ? [] : [[entry, target.default] as const],
    ),
  )
