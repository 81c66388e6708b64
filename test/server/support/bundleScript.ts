import { readFile } from 'node:fs/promises'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { build } from 'esbuild'

const root = fileURLToPath(new URL('../../..', import.meta.url))

/**
 * Makes one file of a script and all of this repository that it imports, which starts several times faster than one
 * that is compiled as it is loaded. It lies where its packages are found.
 */
export async function bundleScript(name: string, folder = 'test/server/support'): Promise<string> {
  const outfile = `${root}node_modules/.cache/redux-agent/${name}-${process.pid}.mjs`
  await build({
    entryPoints: [`${root}${folder}/${name}.ts`],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    packages: 'external',
    // The package's own name is a path of tsconfig.json, no package here.
    alias: { 'redux-agent': `${root}store/index.ts` },
    plugins: [
      {
        name: 'own-url',
        setup({ onLoad }) {
          // Files that lie beside a module are found from where it was.
          onLoad({ filter: /demo[\\/]server[\\/].*\.ts$/ }, async ({ path }) => ({
            contents: (await readFile(path, 'utf8')).replaceAll(
              'import.meta.url',
              JSON.stringify(pathToFileURL(path).href),
            ),
            loader: 'ts',
          }))
        },
      },
    ],
  })
  return outfile
}
