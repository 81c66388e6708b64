import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createScrubber } from '../../demo/server/ops/createScrubber.ts'
import { createSqliteStore } from '../../demo/server/store/sqlite/createSqliteStore.ts'
import { defineTool } from '../../demo/server/tools/agentTool.ts'
import * as z from 'zod'
import { createOpsProbe } from './support/createOpsProbe.ts'
import { call, createGate, createScriptedModel, finish, say, think } from './support/createScriptedModel.ts'
import type { Script } from './support/createScriptedModel.ts'
import { envelopeOf, readAll, readUntil, type Frame } from './support/readFrames.ts'
import { startTestServer, type TestServer } from './support/startTestServer.ts'

// Put together here, so that no scanner takes this file for a leak.
const key = ['sk', 'proj', 'Q7dH2kLm9PzXw4Vt8BnRc6Ys'].join('-')
const token = ['eyJhbGciOiJIUzI1NiJ9', 'eyJzdWIiOiIxMjM0In0', 'dozjgNryP4J3jVmNHl0w5'].join('.')
const github = `ghp_${'a1B2c3D4e5F6g7H8i9J0'}`
const pem = ['-----BEGIN RSA', 'PRIVATE KEY-----\nMIIEpAIBAAKCAQEA7zq\n-----END RSA', 'PRIVATE KEY-----'].join(' ')
const known = 'the-configured-secret-value'

/** A text, and the part of it that must not be kept. */
const samples: [string, string, string][] = [
  ['an API key', `Use ${key} for it.`, 'Q7dH2kLm9PzXw4Vt8BnRc6Ys'],
  ['a bearer token', `Authorization: Bearer ${token}\nHost: x`, 'dozjgNryP4J3jVmNHl0w5'],
  ['a basic credential', 'authorization: Basic dXNlcjpwYXNzd29yZA== end', 'dXNlcjpwYXNzd29yZA'],
  ['a cookie', 'Cookie: session=abc123def456; theme=dark\nnext', 'abc123def456'],
  ['a token alone', `token ${token}.`, 'dozjgNryP4J3jVmNHl0w5'],
  ['a token of a forge', `(${github})`, 'a1B2c3D4e5F6g7H8i9J0'],
  ['a password in JSON', '{"user":"x","password":"hunter2 horse"}', 'hunter2 horse'],
  ['a password in JSON in JSON', String.raw`"{\"password\":\"hunter2horse\"}"`, 'hunter2horse'],
  ['a variable', 'export SERVICE_API_KEY=8f14e45fceea167a', '8f14e45fceea167a'],
  ['a header of its own', 'x-api-key: 8f14e45fceea167a', '8f14e45fceea167a'],
  ['an address with a password', 'postgres://app:s3cr3tpw@db/runs', 's3cr3tpw'],
  ['a private key', `key:\n${pem}\ndone`, 'MIIEpAIBAAKCAQEA7zq'],
  ['a secret of the configuration', `It is ${known}.`, known],
  ['a pattern of the configuration', 'Account ACCT-123456 it is.', '123456'],
]
const scrubber = createScrubber({ known: [known], patterns: ['ACCT-\\d{6}'] })

describe('the scrubber', () => {
  it.each(samples)('takes out %s', (_name, text, secret) => {
    expect(scrubber.text(text)).not.toContain(secret)
    expect(scrubber.text(text)).toContain('[redacted]')
    expect(scrubber.text(scrubber.text(text))).toBe(scrubber.text(text))
  })

  it.each(samples)('takes out %s, in whatever pieces it comes', (_name, text, secret) => {
    const pieces = (cuts: readonly number[]) => {
      const ends = [...new Set(cuts), text.length].sort((one, other) => one - other)
      return ends.map((end, index) => text.slice(ends[index - 1] ?? 0, end))
    }
    const scrub = (parts: readonly string[]) => {
      const stream = scrubber.createTextScrubber()
      const given = parts.map((part) => stream.push(part))
      return [...given, stream.finish()].join('')
    }
    const check = (parts: readonly string[]) => {
      const given = scrub(parts)
      expect(given).not.toContain(secret)
      // No tail of it either.
      expect(given).not.toContain(secret.slice(-8))
      expect(given).toContain('[redacted]')
    }
    check(Array.from(text))
    for (let cut = 0; cut <= text.length; cut += 1) check(pieces([cut]))
    fc.assert(
      fc.property(fc.array(fc.nat(text.length)), (cuts) => check(pieces(cuts))),
      { numRuns: 50 },
    )
  })

  it.each([
    'The task-force-for-the-new-office meets on Friday; the bearer of bad news stays away.',
    'const apiKey = process.env.OPENAI_API_KEY // password: required, see the authorization guide',
    '用户的密码策略：每 90 天更换一次。 Cookie: a small sweet biscuit.',
    'http://localhost:8787/api?a=1&b=2 ratio 3:4 user@example.com usage: 5 tokens, 12 left',
    '{"password":"<your password>","api_key":"${KEY}","token_count":12}',
  ])('leaves what is none: %s', (text) => {
    expect(scrubber.text(text)).toBe(text)
    const stream = scrubber.createTextScrubber()
    const given = Array.from(text).map((character) => stream.push(character))
    expect([...given, stream.finish()].join('')).toBe(text)
  })

  it('knows fields by their names, leaves ids, and gives back what is clean as it is', () => {
    const clean = { a: [1, 'x', null, { b: true }], messageId: key }
    expect(scrubber.value(clean)).toBe(clean)
    const dirty = JSON.parse(
      `{"headers":{"Authorization":"x","set-cookie":"y","accept":"z"},"__proto__":{"password":1},"list":["${key}"]}`,
    ) as Record<string, unknown>
    expect(JSON.stringify(scrubber.value(dirty))).toBe(
      '{"headers":{"Authorization":"[redacted]","set-cookie":"[redacted]","accept":"z"},' +
        '"__proto__":{"password":"[redacted]"},"list":["[redacted]"]}',
    )
  })

  const beginnings = ['authorization', 'cookie', 'api-key', 'api_key', 'password', 'bearer']
  it.each([
    ...['a', '-----BEGIN ', '-----BEGIN PRIVATE KEY-----', 'password="', ':', 'eyJ', '://a', '://a:', 'Bearer '],
    ...['cookie: ', 'sk-', ...beginnings.flatMap((beginning) => [`${beginning}:`, `${beginning}=`, `${beginning}:a=`])],
  ])('takes as long as the text where that is nothing but %j', (piece) => {
    const text = piece.repeat(Math.ceil(300_000 / piece.length))
    const stream = scrubber.createTextScrubber()
    // With time that grows with the square, the test's own limit would end it.
    expect(scrubber.text(text).length + stream.push(text).length + stream.finish().length).toBeGreaterThan(0)
  })

  it('does not read JSON in a text that is nested deeper than any', () => {
    const deep = `${'['.repeat(200)}{"password":"short"}${']'.repeat(200)}`
    expect(scrubber.value({ content: deep })).toEqual({ content: deep })
    expect(scrubber.value({ content: '['.repeat(400_000) })).toEqual({ content: '['.repeat(400_000) })
  })

  it('looks into JSON that stands in a text', () => {
    const text = JSON.stringify({ ok: true, result: { password: 'short', list: [{ 'set-cookie': 'x' }], kept: 1 } })
    const scrubbed = '{"ok":true,"result":{"password":"[redacted]","list":[{"set-cookie":"[redacted]"}],"kept":1}}'
    expect(scrubber.value({ content: text })).toEqual({ content: scrubbed })
    expect(scrubber.value({ content: '{"password": cut' })).toEqual({ content: '{"password": cut' })
  })

  it('refuses patterns that are none, without saying more than the pattern', () => {
    expect(() => createScrubber({ patterns: ['('] })).toThrow(/no regular expression/)
    expect(() => createScrubber({ patterns: ['x*'] })).toThrow(/matches nothing at all/)
  })
})

describe('what a server keeps of a run in which secrets were said', () => {
  let folder: string
  let server: TestServer
  let probe: ReturnType<typeof createOpsProbe>
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'run-server-secrets-'))
  })
  afterEach(() => rmSync(folder, { recursive: true }))

  const launch = async (scripts: readonly Script[], more: object = {}) => {
    probe = createOpsProbe({ known: [known], store: createSqliteStore(join(folder, 'runs.sqlite')) })
    const model = createScriptedModel(scripts)
    server = await startTestServer({ ...probe.serverOptions, model, checkpointLength: 10, ...more })
    return server.createBrowser()
  }
  const bytes = () => readdirSync(folder).map((name) => readFileSync(join(folder, name), 'latin1')).join('')
  /** Everything but what is a person's own to keep. */
  const readTables = () => {
    const database = new Database(join(folder, 'runs.sqlite'), { readonly: true })
    const names = database.prepare(`SELECT name FROM sqlite_master WHERE type = 'table'`).pluck().all() as string[]
    const kept = names.filter((name) => !name.startsWith('workspace') && name !== 'agentApprovals')
    const rows = kept.map((name) => [name, database.prepare(`SELECT * FROM "${name}"`).all()])
    database.close()
    return JSON.stringify(rows)
  }
  const expectNoSecret = (text: string) => {
    const found = samples.slice(0, -1).filter(([, , secret]) => text.includes(secret))
    expect(found.map(([name]) => name)).toEqual([])
  }
  const textOf = (frames: readonly Frame[]) => JSON.stringify(frames.map(({ data }) => data))
  const everySecret = samples.slice(0, -1).map(([, text]) => text).join('\n')
  /** As models send it: a few characters at a time. */
  const spell = (text: string, toChunk: (piece: string) => unknown) =>
    (text.match(/[^]{1,3}/g) ?? []).map((piece) => toChunk(piece))

  it('holds none of what a person wrote, and what the model thought and said of it', async () => {
    const browser = await launch([
      [...spell(everySecret, think), ...spell(`You said: ${everySecret}`, say), ...finish('stop')],
    ])
    const { frames } = await browser.start(`My secrets: ${everySecret}`)
    const read = await readAll(frames)
    expect(envelopeOf(read.findLast(({ name }) => name === 'message')!).event.type).toBe('run.completed')
    const views = [
      textOf(read),
      JSON.stringify((await browser.request('GET', '/api/agent/conversations/c1')).body),
      JSON.stringify((await browser.request('GET', '/api/agent/conversations')).body),
    ]
    await server.close()
    for (const text of [...views, readTables(), bytes(), ...probe.lines]) expectNoSecret(text)
    expect(views[0]!.match(/\[redacted\]/g)!.length).toBeGreaterThan(20)
  })

  it('holds none of a tool’s arguments, its result and its error', async () => {
    const input = JSON.stringify({ note: `with ${key}`, headers: { authorization: `Bearer ${token}` } })
    const fails = defineTool({
      name: 'call_service',
      description: 'Calls.',
      effect: 'none',
      schema: z.looseObject({}),
      async run(given) {
        if (JSON.stringify(given).includes('fail')) throw new Error(`refused: ${everySecret}`)
        return { password: 'hunter2horse', body: everySecret, nested: [{ cookie: 'abc123def456' }] }
      },
    })
    const send = (part: object) => ({ choices: [{ delta: { tool_calls: [{ index: 0, ...part }] } }] })
    const begin = send({ id: 'call-1', function: { name: 'call_service', arguments: '' } })
    const piece = (text: string) => send({ function: { arguments: text } })
    const browser = await launch(
      [
        [begin, ...spell(input, piece), ...finish('tool_calls')],
        [call('call_service', { fail: true }, 0, 'call-2'), ...finish('tool_calls')],
      ],
      { tools: [fails] },
    )
    const read = await readAll((await browser.start('Call it')).frames)
    const completed = read.map(envelopeOf).find(({ event }) => event?.type === 'tool.completed')!.event
    expect(completed.payload).toMatchObject({ result: { password: '[redacted]', nested: [{ cookie: '[redacted]' }] } })
    await server.close()
    for (const text of [textOf(read), readTables(), bytes(), ...probe.lines]) expectNoSecret(text)
    // The failure itself is in the log, without what it spoke of.
    const failure = probe.records().find(({ msg }) => msg === 'failure')
    expect(failure).toMatchObject({ level: 'error', err: { message: expect.stringMatching(/^refused: /) } })
  })

  it('holds none of a document that a tool has read, outside of that document', async () => {
    let documentId = ''
    const read = () => call('document_read', { documentId })
    const script: unknown[] = finish('tool_calls')
    const browser = await launch([script, [say('Done.'), ...finish('stop')]])
    documentId = (
      await browser.request<{ id: string }>('POST', '/api/documents', { title: 'Vault', content: everySecret })
    ).body.id
    script.unshift(read())
    const frames = await readAll((await browser.start('Read it')).frames)
    expect(frames.map(envelopeOf).some(({ event }) => event?.type === 'tool.completed')).toBe(true)
    expect((await browser.request('GET', `/api/documents/${documentId}`)).body.content).toBe(everySecret)
    await server.close()
    for (const text of [textOf(frames), readTables(), ...probe.lines]) expectNoSecret(text)
  })

  it('answers a decision with what is stored', async () => {
    const edited = `Keys: ${key}`
    const browser = await launch([
      [call('document_write', { title: 'Vault', content: 'Keys: none' }), ...finish('tool_calls')],
      [say('Done.'), ...finish('stop')],
    ])
    const { frames, runId, approval } = await browser.startToApproval('Write it')
    const answer = await browser.command(
      browser.commands(runId).create('approval.resolve', {
        approvalId: approval.approvalId,
        decision: 'modified',
        data: { arguments: { title: 'Vault', content: edited } },
      }),
    )
    expect(answer.status).toBe(200)
    const rest = await readAll(frames)
    expect(answer.body.events).toEqual(rest.slice(0, answer.body.events.length).map(envelopeOf))
    const { body } = await browser.request<{ documents: { id: string; title: string }[] }>('GET', '/api/documents')
    const { id } = body.documents.find(({ title }) => title === 'Vault')!
    // A document is its owner's: it says what they wrote.
    expect((await browser.request('GET', `/api/documents/${id}`)).body.content).toBe(edited)
    expectNoSecret(textOf(rest))
    const log = await browser.request('GET', `/api/agent/runs/${runId}/events`)
    expectNoSecret(JSON.stringify(log.body))
    await server.close()
    const database = new Database(join(folder, 'runs.sqlite'), { readonly: true })
    const tables = ['agentRunEvents', 'agentRunCheckpoints', 'agentTranscripts', 'agentMessages']
    for (const table of [...tables, 'agentIdempotencyRecords']) {
      expectNoSecret(JSON.stringify(database.prepare(`SELECT * FROM "${table}"`).all()))
    }
    database.close()
    for (const line of probe.lines) expectNoSecret(line)
  })

  it('keeps all that was said when a run is cut off in the middle of a word', async () => {
    const gate = createGate()
    const browser = await launch([[say('So far the author'), gate.opened, ...finish('stop')]])
    const { frames, runId } = await browser.start('Go')
    await readUntil(frames, 'message.delta')
    await browser.command(browser.commands(runId).create('run.cancel', {}))
    await readAll(frames)
    const { body } = await browser.request<{ messages: unknown[] }>('GET', '/api/agent/conversations/c1')
    expect(body.messages[1]).toMatchObject({ content: 'So far the author', status: 'cancelled' })
    gate.open()
    await server.close()
  })
})

describe('the log', () => {
  it('has no secret, wherever an error or a field hides it', () => {
    const probe = createOpsProbe({ known: [known] })
    const request = { headers: { cookie: 'a=abc123def456' } }
    const cause = Object.assign(new Error(`cause: ${everyText()}`), { request })
    const error = Object.assign(new Error(`message: ${everyText()}`, { cause }), { headers: { authorization: token } })
    const headers = { authorization: 'short', cookie: 'short2' }
    probe.log.error({ err: error, headers, note: everyText() }, everyText())
    const [line] = probe.lines
    for (const [, , secret] of samples.slice(0, -1)) expect(line).not.toContain(secret)
    expect(probe.records()[0]).toMatchObject({ headers: { authorization: '[redacted]', cookie: '[redacted]' } })
    expect(line).not.toContain('request')
  })

  const everyText = () => samples.slice(0, -1).map(([, text]) => text).join('\n')
})
