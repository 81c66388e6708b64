import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import * as z from 'zod'
import { root } from '../support/root.ts'

const imports = (specifier: string) => `import * as it from '${specifier}'\nexport const here = it\n`
const direction = 'redux-agent(import-direction)'
const schema = (text: string) => `import * as z from 'zod/mini'\nexport const schema = ${text}\n`
const endless = 'redux-agent(endless-issues)'

const offences: [name: string, file: string, code: string, rule: string][] = [
  ['src imports store', 'src/state/a.ts', imports('../../store/b.ts'), direction],
  ['src imports features', 'src/state/b.ts', imports('../../features/b.ts'), direction],
  ['src imports the demo', 'src/state/c.ts', imports('../../demo/b.ts'), direction],
  ['src imports React', 'src/state/d.ts', imports('react'), direction],
  ['src imports Redux', 'src/state/e.ts', imports('redux'), direction],
  ['src imports Redux Toolkit', 'src/state/f.ts', imports('@reduxjs/toolkit'), direction],
  ['src imports zod with its JIT', 'src/state/g.ts', imports('zod'), direction],
  ['src imports a module of Node', 'src/state/h.ts', imports('node:fs'), direction],
  ['src imports lazily from store', 'src/state/i.ts', "export const later = () => import('../../store/b.ts')\n", direction],
  ['src re-exports from store', 'src/state/j.ts', "export * from '../../store/b.ts'\n", direction],
  ['store imports features', 'store/a.ts', imports('../features/b.ts'), direction],
  ['store imports the demo', 'store/c.ts', imports('../demo/b.ts'), direction],
  ['store imports React', 'store/d.ts', imports('react-redux'), direction],
  ['store imports redux-persist', 'store/e.ts', imports('redux-persist'), direction],
  ['store imports RTK Query', 'store/f.ts', imports('@reduxjs/toolkit/query'), direction],
  ['features imports the demo', 'features/chat/a.ts', imports('../../demo/b.ts'), direction],
  ['features imports a test', 'features/chat/c.ts', imports('../../test/b.ts'), direction],
  ['features imports the package by name', 'features/chat/d.ts', imports('redux-agent'), direction],
  ['the demo reaches into src', 'demo/web/a.ts', imports('../../src/state/z.ts'), direction],
  ['a test reaches into store', 'test/store/a.test.ts', imports('../../store/b.ts'), direction],
  ['a schema is a list of zod’s', 'src/protocol/a.ts', schema('z.array(z.string())'), endless],
  ['a schema holds a list of zod’s', 'store/tabs/a.ts', schema('z.object({ a: z.optional(z.array(z.object({}))) })'), endless],
  ['a schema is a record of zod’s', 'src/protocol/b.ts', schema('z.record(z.string(), z.number())'), endless],
  ['a schema is a map of zod’s', 'src/protocol/e.ts', schema('z.map(z.unknown(), z.string())'), endless],
  ['a schema is a set of zod’s', 'src/protocol/f.ts', schema('z.set(z.string())'), endless],
  ['a schema is a tuple with a rest', 'src/protocol/g.ts', schema('z.tuple([z.string()], z.string())'), endless],
  ['a schema is made a list', 'store/tabs/b.ts', schema('z.string().array()'), endless],
  ['the run server has a list of zod’s', 'demo/server/runs/a.ts', schema('z.array(z.string())'), endless],
  ['the run server has a record of zod’s', 'demo/server/a.ts', schema('z.record(z.string(), z.string())'), endless],
  ['two files import each other', 'src/cycle/a.ts', "export { b } from './b.ts'\nexport const a = 1\n", 'import(no-cycle)'],
  ['a file is over 400 lines', 'src/long.ts', 'export {}\n'.repeat(401), 'eslint(max-lines)'],
  ['any is used', 'src/any.ts', 'export const a: any = 1\n', 'typescript(no-explicit-any)'],
  [
    'a hook is called in a condition',
    'features/useA.ts',
    "import { useState } from 'react'\nexport const useA = (b: boolean) => (b ? useState(1) : undefined)\n",
    'react-hooks(rules-of-hooks)',
  ],
  [
    'an effect misses a dependency',
    'features/useB.ts',
    "import { useEffect } from 'react'\nexport const useB = (b: () => void) => useEffect(() => b(), [])\n",
    'react-hooks(exhaustive-deps)',
  ],
  [
    'an image has no text',
    'features/Picture.tsx',
    "export const Picture = () => <img src='a.png' />\n",
    'jsx-a11y(alt-text)',
  ],
]

const fine: [name: string, file: string, code: string][] = [
  ['src imports zod/mini', 'src/fine/a.ts', imports('zod/mini')],
  ['a list or record takes anything', 'src/fine/b.ts', schema('z.union([z.array(z.unknown()), z.record(z.string(), z.unknown())])')],
  ['a tuple has no rest', 'demo/server/fine/a.ts', schema('z.tuple([z.string()])')],
  ['the demo’s page has a list of zod’s', 'demo/web/fine/c.ts', schema('z.array(z.string())')],
  ['a test has a list of zod’s', 'test/fine/b.ts', schema('z.array(z.string())')],
  ['store imports src', 'store/fine/a.ts', imports('../../src/state/z.ts')],
  ['store imports Redux Toolkit', 'store/fine/b.ts', imports('@reduxjs/toolkit')],
  ['the one file imports redux-persist', 'store/fine/createPersistCheckpointStorage.ts', imports('redux-persist')],
  ['the one folder imports RTK Query', 'store/rtkQuery/agentEndpoints.ts', imports('@reduxjs/toolkit/query')],
  ['features imports store', 'features/fine/a.ts', imports('../../store/b.ts')],
  ['features imports React', 'features/fine/b.ts', imports('react')],
  ['the demo has folders of its own by those names', 'demo/web/fine/a.ts', imports('../store/b.ts')],
  ['the demo imports the entry', 'demo/web/fine/b.ts', imports('redux-agent/react')],
  ['a test imports the demo', 'test/fine/a.ts', imports('../../demo/web/fine/b.ts')],
]

const Report = z.object({ diagnostics: z.array(z.object({ code: z.string(), filename: z.string() })) })

describe('the lint rules', () => {
  let folder = ''
  let findings: Map<string, string[]>

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'redux-agent-lint-'))
    const write = (file: string, code: string): void => {
      mkdirSync(dirname(join(folder, file)), { recursive: true })
      writeFileSync(join(folder, file), code)
    }
    for (const config of ['.oxlintrc.json', 'test/support/lintRules.mjs']) {
      cpSync(join(root, config), join(folder, config))
    }
    write('src/cycle/b.ts', "export { a } from './a.ts'\nexport const b = 1\n")
    for (const [, file, code] of [...offences, ...fine]) write(file, code)
    const { stdout } = spawnSync(process.execPath, [join(root, 'node_modules/oxlint/bin/oxlint'), '--format=json'], {
      cwd: folder,
      encoding: 'utf8',
    })
    findings = new Map()
    for (const { code, filename } of Report.parse(JSON.parse(stdout)).diagnostics) {
      findings.set(filename, [...(findings.get(filename) ?? []), code])
    }
  })

  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  it.each(offences)('refuse it when %s', (_name, file, _code, rule) => {
    expect(findings.get(file)).toContain(rule)
  })

  it.each(fine)('let it be when %s', (_name, file) => {
    expect(findings.get(file)).toBeUndefined()
  })
})
