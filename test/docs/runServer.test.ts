import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { createRunServer } from '../../demo/server/createRunServer.ts'
import { createMetrics } from '../../demo/server/ops/createMetrics.ts'
import { root } from '../support/root.ts'
import { readProse } from './readSections.ts'

const read = (path: string) => readFileSync(join(root, path), 'utf8')
const server = readdirSync(join(root, 'demo/server'), { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts'))
  .map((file) => read(join('demo/server', file)))
  .join('\n')

/** The rows of the table that stands under a head, as their cells. */
function readRows(document: string, head: RegExp): readonly (readonly string[])[] {
  const lines = read(document).split('\n')
  const first = lines.findIndex((line) => head.test(line)) + 2
  const rows = lines.slice(first)
  return rows.slice(0, rows.findIndex((line) => !line.startsWith('|'))).map((line) => line.split('|').slice(1, -1))
}

const readCode = (text: string) => [...text.matchAll(/`([^`]+)`/g)].map(([, code]) => code!)

describe.each(['docs/run-server.md', 'docs/run-server-zh_CN.md'])('%s', (document) => {
  it('has every setting that the server reads, but for the one that its tests crash it by', () => {
    const settings = [...read('demo/server/ops/readSettings.ts').matchAll(/^ {2}([A-Z_]+): /gm)].map(([, name]) => name!)
    const rows = readRows(document, /^\| (?:variable|变量) /)
    const told = rows.flatMap(([names]) => readCode(names!))
    expect(told.sort()).toEqual(settings.filter((name) => name !== 'CRASH_AT').sort())
  })

  it('has every refusal, by its status', () => {
    const thrown = server.matchAll(/status: '?(\d{3})[\w ]*'?,\s+code: '(\w+)'/g)
    const refused = [...thrown].map(([, status, code]) => `${status} ${code}`)
    const answered = ['500 internal_error', '503 store_unavailable', '503 closing']
    for (const known of answered) expect(server).toContain(`'${known.slice(4)}'`)
    const rows = readRows(document, /^\| (?:status|状态码) /)
    const told = rows.flatMap(([statuses, codes]) => readCode(codes!).map((code) => [statuses!, code] as const))
    const all = new Set([...refused, ...answered])
    expect(told.map(([, code]) => code).sort()).toEqual([...new Set([...all].map((entry) => entry.slice(4)))].sort())
    const isTold = (entry: string) =>
      told.some(([statuses, code]) => entry.endsWith(` ${code}`) && statuses.includes(entry.slice(0, 3)))
    expect([...all].filter((entry) => !isTold(entry))).toEqual([])
  })

  it('names metrics that are there', async () => {
    const printed = await createMetrics().print()
    const names = readCode(readProse(read(document))).filter((code) => code.startsWith('redux_agent_'))
    expect(names.length).toBeGreaterThan(0)
    expect(names.filter((name) => !printed.includes(`# TYPE ${name} `))).toEqual([])
  })
})

it.each(['README.md', 'README-zh_CN.md'])('%s has every route of the run server', async (document) => {
  const model = { stream: async function* () {} }
  const runServer = await createRunServer({ model, metrics: createMetrics() })
  const routes = runServer.app.routes.filter(({ method }) => method !== 'ALL').map(({ path }) => path)
  await runServer.close()
  const paths = readRows(document, /^\| (?:route|路由) /)
    .flatMap(([cell]) => readCode(cell!))
    .flatMap((code) => /\/\S*/.exec(code)?.[0] ?? [])
    .map((path) => path.replace(/\?.*/, ''))
    // A part in brackets may be left out.
    .flatMap((path) => [path.replace(/\[.*\]/, ''), path.replace(/[[\]]/g, '')])
  expect([...new Set(paths)].sort()).toEqual([...new Set(routes)].sort())
})
