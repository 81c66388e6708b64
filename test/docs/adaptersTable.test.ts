import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { runAgentProvider, type AgentCommandType, type AnyAgentProvider } from 'redux-agent'
import { createAgUiProvider } from 'redux-agent/adapters/ag-ui'
import { createAiSdkProvider } from 'redux-agent/adapters/ai-sdk'
import { createOpenAIChatProvider } from 'redux-agent/adapters/openai-chat'
import { createOpenAIResponsesProvider } from 'redux-agent/adapters/openai-responses'
import { createRunServerProvider } from 'redux-agent/adapters/run-server'
import { describe, expect, it } from 'vitest'
import { startRequestSchema } from '../../demo/server/runs/startRequestSchema.ts'
import manifest from '../../package.json' with { type: 'json' }
import { root } from '../support/root.ts'

interface Http {
  headers?: () => Promise<Record<string, string>>
  fetch?: typeof fetch
}

interface Adapter {
  /** Makes the provider with as few options as it takes, and with one more where a cell of the table names it. */
  create(http: Http, option?: string): AnyAgentProvider
  /** The options that turn something on, as the table names them. */
  options: readonly string[]
  /** Whether the runtime takes what the adapter sends; yes where the runtime is not ours. */
  accepts?(body: string): boolean
}

/** An option that is asked for by name, at a value that turns it on. */
const turnOn = <Options extends object>(options: Options, name: string | undefined) =>
  name === undefined ? {} : { [name]: options[name as keyof Options] }

const responses = { background: true }
const aiSdk = { resume: 'replay', getStopUrl: () => '/stop' } as const
const agUi = { resume: { request: () => ({ url: '/resume' }) }, stop: () => ({ url: '/stop' }) }

const adapters: Readonly<Record<string, Adapter>> = {
  'openai-chat': { create: (http) => createOpenAIChatProvider(http), options: [] },
  'openai-responses': {
    create: (http, name) => createOpenAIResponsesProvider({ ...http, ...turnOn(responses, name) }),
    options: Object.keys(responses),
  },
  'ai-sdk': {
    create: (http, name) => createAiSdkProvider({ ...http, ...turnOn(aiSdk, name) }),
    options: Object.keys(aiSdk),
  },
  'ag-ui': {
    create: (http, name) => createAgUiProvider({ url: '/agent', ...http, ...turnOn(agUi, name) }),
    options: Object.keys(agUi),
  },
  'run-server': {
    create: (http) => createRunServerProvider(http),
    options: [],
    accepts: (body) => startRequestSchema.safeParse(JSON.parse(body)).success,
  },
}

const image = 'https://example.com/cat.png'

/** Sends a message with an image in two runs, and gives what the runtime was sent. */
async function send({ create }: Adapter) {
  const sent: { body: string; authorization: string | null }[] = []
  let tokens = 0
  const provider = create({
    headers: async () => ({ authorization: `token ${(tokens += 1)}` }),
    fetch: async (_url, init) => {
      sent.push({ body: String(init?.body), authorization: new Headers(init?.headers).get('authorization') })
      return new Response(null, { status: 500 })
    },
  })
  const message = [
    { type: 'text', text: 'What is it?' },
    { type: 'image', url: image, mediaType: 'image/png' },
  ]
  for (const runId of ['r1', 'r2']) {
    const run = { sessionId: 's1', runId }
    await runAgentProvider({ provider, input: { message }, run, onEvent: () => undefined })
  }
  return sent
}

const yes = (value: boolean) => (value ? '✓' : '–')

/** Says of a capability whether a provider has it, and else which option gives it. */
function tell({ create, options }: Adapter, has: (provider: AnyAgentProvider) => boolean): string {
  if (has(create({}))) return '✓'
  const option = options.find((name) => has(create({}, name)))
  return option === undefined ? '–' : `\`${option}\``
}

const takes = (type: AgentCommandType) => (adapter: Adapter) =>
  tell(adapter, ({ capabilities }) => capabilities.commands?.includes(type) === true)

/** What each row of the table says, found out from the providers; by its place, as its words are of two languages. */
const rows: readonly (((adapter: Adapter) => string | Promise<string>) | 'not declared')[] = [
  (adapter) => tell(adapter, ({ capabilities, transport }) => capabilities.resumable === true && !!transport.resume),
  takes('approval.resolve'),
  'not declared',
  takes('run.cancel'),
  takes('tool.retry'),
  'not declared',
  async (adapter) => {
    const [first] = await send(adapter)
    return yes(first!.body.includes(image) && (adapter.accepts?.(first!.body) ?? true))
  },
  async (adapter) => {
    const tokens = (await send(adapter)).map(({ authorization }) => authorization)
    return yes(tokens[0] !== tokens[1] && !tokens.includes(null))
  },
  ({ create }) => create({}).capabilities.sequence ?? 'increasing',
  (adapter) => tell(adapter, ({ transport }) => transport.follow !== undefined),
]

const documents = ['docs/adapters.md', 'docs/adapters-zh_CN.md']

/** The first table of a document: its head, and its rows' cells without their words. */
function readTable(document: string) {
  const table = /^\|.*\|\n\|[-|]+\|\n(?:\|.*\|\n)+/m.exec(readFileSync(join(root, document), 'utf8'))?.[0] ?? ''
  const [head = [], , ...body] = table
    .trim()
    .split('\n')
    .map((line) => line.split('|').slice(2, -1).map((cell) => cell.trim()))
  return { adapters: head.map((cell) => cell.replaceAll('`', '')), body }
}

describe.each(documents)('the table of %s', (document) => {
  const table = readTable(document)

  it('has every adapter of the package', () => {
    const entries = Object.keys(manifest.exports).flatMap((entry) => /^\.\/adapters\/(.*)$/.exec(entry)?.[1] ?? [])
    expect([...table.adapters].sort()).toEqual(entries.sort())
    expect(Object.keys(adapters).sort()).toEqual(entries.sort())
  })

  it('says what the providers declare and do', async () => {
    const found = await Promise.all(
      rows.map((row, index) =>
        row === 'not declared'
          ? table.body[index]
          : Promise.all(table.adapters.map(async (name) => row(adapters[name]!))),
      ),
    )
    expect(table.body).toEqual(found)
  })
})

it('the two tables say the same', () => {
  const [first, second] = documents.map(readTable)
  expect(second).toEqual(first)
})
