import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { build, type Plugin } from 'esbuild'
import * as vitest from 'vitest'
import { root } from '../support/root.ts'
import { readCodeBlocks } from './readCodeBlocks.ts'

/** Where a block that is a test finds this run's vitest, as what is loaded from text has no folder to look in. */
const vitestKey = Symbol.for('redux-agent.docs.vitest')

const nameOf = (code: string) => /^\/\/ file: (\S+)/.exec(code)?.[1]

/** The text of the block that begins with `// file: name`. */
export function findCodeBlock(document: string, name: string): string {
  const blocks = readCodeBlocks(document, readFileSync(join(root, document), 'utf8'))
  const block = blocks.find(({ code }) => nameOf(code) === name)
  if (!block) throw new Error(`${document} has no block that begins with "// file: ${name}".`)
  return block.code
}

/** Runs a block of a document, with the blocks that it imports, against the package's source, and gives its exports. */
export async function loadCodeBlock<Module>(document: string, name: string): Promise<Module> {
  const blocks: Plugin = {
    name: 'blocks',
    setup({ onResolve, onLoad }) {
      onResolve({ filter: /^\.\/\w+$/, namespace: 'block' }, ({ path }) => ({
        path: `${path.slice(2)}.ts`,
        namespace: 'block',
      }))
      onResolve({ filter: /^vitest$/ }, () => ({ path: 'vitest', namespace: 'vitest' }))
      onLoad({ filter: /.*/, namespace: 'block' }, ({ path }) => ({
        contents: findCodeBlock(document, path),
        loader: 'ts',
        resolveDir: root,
      }))
      onLoad({ filter: /.*/, namespace: 'vitest' }, () => ({
        contents: `export const { describe, expect, it } = globalThis[Symbol.for('${Symbol.keyFor(vitestKey)}')]`,
      }))
      onResolve({ filter: /^entry$/ }, () => ({ path: name, namespace: 'block' }))
    },
  }
  Object.assign(globalThis, { [vitestKey]: vitest })
  const folder = mkdtempSync(join(tmpdir(), 'redux-agent-docs-'))
  const outfile = join(folder, 'block.mjs')
  try {
    await build({
      entryPoints: ['entry'],
      alias: {
        'redux-agent/testing': join(root, 'src/testing/index.ts'),
        'redux-agent': join(root, 'store/index.ts'),
      },
      absWorkingDir: root,
      plugins: [blocks],
      bundle: true,
      format: 'esm',
      outfile,
      logOverride: { 'import-is-undefined': 'error' },
    })
    return (await import(/* @vite-ignore */ pathToFileURL(outfile).href)) as Module
  } finally {
    rmSync(folder, { recursive: true })
  }
}
