import { gzipSync } from 'node:zlib'
import { build } from 'esbuild'

export interface EntryBundle {
  /** Minified, as an app would ship it. */
  readonly code: string
  readonly gzipBytes: number
  /** The files of which something went in, relative to the working folder. */
  readonly inputs: readonly string[]
}

/** Bundles a file for browsers in production mode, without the packages named `external`. */
export const bundleEntry = async (file: string, external: readonly string[] = []): Promise<EntryBundle> => {
  const { outputFiles, metafile } = await build({
    entryPoints: [file],
    bundle: true,
    minify: true,
    write: false,
    metafile: true,
    format: 'esm',
    platform: 'browser',
    target: 'es2022',
    define: { 'process.env.NODE_ENV': '"production"' },
    external: [...external],
    // The paths of this repository's tsconfig.json lead to its sources.
    tsconfigRaw: {},
    logLevel: 'error',
  })
  const [output] = outputFiles
  if (output === undefined) throw new Error(`esbuild wrote nothing for ${file}.`)
  const inputs = Object.values(metafile.outputs).flatMap((bundle) =>
    Object.entries(bundle.inputs).flatMap(([input, { bytesInOutput }]) => (bytesInOutput > 0 ? [input] : [])),
  )
  return { code: output.text, gzipBytes: gzipSync(output.contents).byteLength, inputs }
}
