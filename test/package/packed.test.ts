import { readFile, writeFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import ts from 'typescript'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { root } from '../support/root.ts'
import { bundleEntry } from './bundleEntry.ts'
import { measureEntries } from './measureEntries.ts'
import { type PackedPackage, packPackage } from './packPackage.ts'
import { getScriptEntries, readManifest } from './readManifest.ts'
import { runCommand } from '../support/runCommand.ts'

describe('the packed package', () => {
  let packed: PackedPackage
  let entries: ReadonlyMap<string, string>

  beforeAll(async () => {
    packed = await packPackage()
    entries = getScriptEntries(await readManifest(packed.folder))
  })

  afterAll(() => packed?.remove())

  const bundle = (entry: string) => bundleEntry(join(packed.folder, entries.get(entry) ?? entry))
  const getPackages = (inputs: readonly string[]): readonly string[] => [
    ...new Set(inputs.flatMap((input) => input.match(/.*node_modules\/((?:@[^/]+\/)?[^/]+)\//)?.slice(1) ?? [])),
  ]

  it('holds what was built and the papers, and nothing else', () => {
    expect(packed.files.filter((file) => !/^(dist\/.*\.(js|d\.ts|map|css)|package\.json|README.*\.md|LICENSE)$/.test(file)))
      .toEqual([])
    expect(packed.files).toEqual(expect.arrayContaining(['LICENSE', 'dist/styles.css', 'dist/styles/theme.css']))
  })

  it('is imported by Node, entry by entry, without a browser and without code from text', async () => {
    const specifiers = [...entries.keys()].map((entry) => `redux-agent${entry.slice(1)}`)
    const script = join(packed.project, 'imports.js')
    await writeFile(
      script,
      `const names = {}
      for (const name of ${JSON.stringify(specifiers)}) names[name] = Object.keys(await import(name)).length
      console.log(JSON.stringify(names))`,
    )
    const printed = await runCommand('node', ['--disallow-code-generation-from-strings', script], { cwd: packed.project })
    expect(JSON.parse(printed)).toEqual(Object.fromEntries(specifiers.map((name) => [name, expect.any(Number)])))
    expect(Object.values(JSON.parse(printed))).not.toContain(0)
  })

  it.each(['bundler', 'nodenext'] as const)('has types under moduleResolution %s', async (resolution) => {
    const file = join(packed.project, `types-${resolution}.ts`)
    const lines = [...entries.keys()].map(
      (entry, index) => `export * as entry${index} from 'redux-agent${entry.slice(1)}'`,
    )
    await writeFile(file, lines.join('\n'))
    const program = ts.createProgram([file], {
      strict: true,
      noEmit: true,
      target: ts.ScriptTarget.ES2022,
      lib: ['lib.es2023.d.ts', 'lib.dom.d.ts', 'lib.dom.iterable.d.ts', 'lib.dom.asynciterable.d.ts'],
      types: [],
      jsx: ts.JsxEmit.ReactJSX,
      ...(resolution === 'bundler'
        ? { module: ts.ModuleKind.ESNext, moduleResolution: ts.ModuleResolutionKind.Bundler }
        : { module: ts.ModuleKind.NodeNext, moduleResolution: ts.ModuleResolutionKind.NodeNext }),
    })
    // What other packages declare is their affair.
    const own = program.getSourceFiles().filter(({ fileName }) => isInside(packed.folder, fileName) || fileName === file)
    const faults = own.flatMap((source) => [
      ...program.getSyntacticDiagnostics(source),
      ...program.getSemanticDiagnostics(source),
    ])
    expect(faults.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'))).toEqual([])
    expect(own.length).toBeGreaterThan(entries.size)
  })

  it.each([
    ['publint', ['publint/src/cli.js', '--strict']],
    [
      'attw',
      ['@arethetypeswrong/cli/dist/index.js', '--profile=esm-only', '--exclude-entrypoints=./styles.css', '--format=ascii'],
    ],
  ])('has nothing that %s would mend', async (_name, [script = '', ...options]) => {
    const args = [join(root, 'node_modules', script), packed.tarball, ...options]
    await expect(runCommand('node', args, { cwd: root })).resolves.toContain('redux-agent')
  })

  it('pulls in neither React nor redux-persist nor RTK Query with the main entry', async () => {
    const app = join(packed.project, 'app.js')
    // An export of its own goes before one of the same name that comes with the star.
    await writeFile(app, "export * from 'redux-agent'\nexport const createPersistCheckpointStorage = undefined\n")
    const { inputs } = await bundleEntry(app)
    const packages = getPackages(inputs)
    expect(packages).toContain('@reduxjs/toolkit')
    expect(packages.filter((name) => /^(react|redux-persist)/.test(name))).toEqual([])
    expect(inputs.filter((input) => /toolkit\/dist\/query/.test(input))).toEqual([])
  })

  it('pulls in redux-persist with the one export that is built on it, and no types of it', async () => {
    expect(getPackages((await bundle('.')).inputs)).toContain('redux-persist')
    const declarations = packed.files.filter((file) => file.endsWith('.d.ts'))
    const texts = await Promise.all(declarations.map((file) => readFile(join(packed.folder, file), 'utf8')))
    expect(texts.filter((text) => /(from|import\(|types=)\s*["']redux-persist/.test(text))).toEqual([])
    expect(texts.join('\n')).toContain('createPersistCheckpointStorage')
  })

  it.each(['./adapters/ai-sdk', './adapters/run-server', './testing'])('pulls in neither Redux nor React with %s', async (entry) => {
    const { inputs } = await bundle(entry)
    expect(getPackages(inputs).filter((name) => /redux|react|immer|reselect/.test(name) && name !== 'redux-agent'))
      .toEqual([])
  })

  it('makes no code from text, in any entry', async () => {
    for (const entry of entries.keys()) expect(findCodeFromText((await bundle(entry)).code), entry).toEqual([])
    // zod with its JIT does: the search would find it.
    const jit = await bundleEntry(join(root, 'node_modules/zod/index.js'))
    expect(findCodeFromText(jit.code)).not.toEqual([])
  })

  it('keeps each entry within its size', async () => {
    const sizes = await measureEntries(packed.folder)
    expect(sizes.filter(({ fits }) => !fits)).toEqual([])
    expect(sizes.map(({ entry }) => entry)).toEqual([...entries.keys()])
  })
})

const findCodeFromText = (code: string): readonly string[] =>
  code.match(/.{0,60}(?:(?<!instanceof )\bFunction\s*[;,)(]|\bnew Function\b|[^.\w]eval\s*\().{0,60}/g) ?? []

const isInside = (folder: string, file: string): boolean => {
  const path = relative(ts.sys.realpath?.(folder) ?? folder, file)
  return !path.startsWith('..')
}
