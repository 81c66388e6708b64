import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { readFileSync } from 'node:fs'
import { HttpAgent } from '@ag-ui/client'
import type { BaseEvent } from '@ag-ui/core'
import { RunAgentInputSchema } from '@ag-ui/core/schemas'
import { EventEncoder } from '@ag-ui/encoder'
import { RunAgentInputSchema as RunAgentInputSchema0 } from 'ag-ui-client-0'
import { fromAgUiObservable, type AgUiRunInput } from 'redux-agent/adapters/ag-ui'
import { validateAgentProviderEvents } from 'redux-agent/testing'
import { findRecordings } from '../../support/findRecordings.ts'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import {
  approvalsOf,
  byId,
  called,
  createConversation,
  finished,
  interrupted,
  said,
  started,
  textOf,
} from './runAgUi.ts'

let server: Server
let url = ''
const inputs: AgUiRunInput[] = []

/** What the agent does, as a real one: it looks at what it is sent, and nothing else. */
function* act(input: AgUiRunInput): Generator<object> {
  const { runId, resume = [], messages } = input
  yield started(runId, { protocolVersion: '1.0', input })
  const last = messages.at(-1)!
  if (resume.length > 0) {
    yield { type: 'STATE_DELTA', delta: [{ op: 'replace', path: '/phase', value: 'sent' }] }
    for (const { interruptId, payload } of resume) {
      const { approved, editedArgs } = payload as { approved: boolean; editedArgs?: { to: string } }
      const toolCallId = interruptId.slice('ask-'.length)
      const text = approved ? JSON.stringify({ sent: editedArgs?.to ?? 'as asked' }) : 'The person said no.'
      yield { type: 'TOOL_CALL_RESULT', messageId: `${toolCallId}-m`, toolCallId, content: text }
    }
    yield* said('m2', 'All ', 'done.')
    yield finished(runId, { outcome: { type: 'success' }, usage: [{ inputTokens: 2 }] })
  } else if (last.role === 'tool') {
    yield* said('m3', `You picked ${String(last.content)}.`)
    yield finished(runId)
  } else if (last.content === 'Pick') {
    yield* called('p1', 'pick')
    yield finished(runId, { outcome: { type: 'success', pendingToolCallIds: ['p1'] } })
  } else {
    yield { type: 'STATE_SNAPSHOT', snapshot: { phase: 'asking', note: null } }
    yield* said('m1', 'May I send ', 'them?')
    for (const id of ['c1', 'c2', 'c3']) yield* called(id, 'send', `{"to":"${id}"}`, { parentMessageId: 'm1' })
    const asked = ['c1', 'c2', 'c3'].map((id) => ({ id: `ask-${id}`, reason: 'tool_call', toolCallId: id }))
    yield interrupted(asked, runId)
  }
}

beforeAll(async () => {
  server = createServer((request, response) => {
    let body = ''
    request.on('data', (chunk) => (body += String(chunk)))
    request.on('end', () => {
      const encoder = new EventEncoder({ accept: request.headers.accept ?? '' })
      const input = JSON.parse(body) as AgUiRunInput
      inputs.push(input)
      response.writeHead(200, { 'content-type': encoder.getContentType() })
      for (const event of act(input)) response.write(encoder.encodeSSE(event as BaseEvent))
      response.end()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/agent`
})
afterAll(() => void server.close())
afterEach(() => {
  inputs.length = 0
  vi.restoreAllMocks()
})

/** Both versions' own validators take every request that was sent, and strip nothing of it. */
function expectValidInputs(count: number) {
  expect(inputs).toHaveLength(count)
  for (const input of inputs) {
    expect(RunAgentInputSchema.parse(input)).toEqual(input)
    expect(RunAgentInputSchema0.safeParse(input).success).toBe(true)
  }
}

describe('an agent on the real encoder', () => {
  it('asks about three calls, takes the three answers together, and goes on', async () => {
    const chat = createConversation([], { url, fetch: globalThis.fetch })
    expect(await chat.run()).toEqual([])
    expect(approvalsOf(chat.state())).toEqual({ 'ask-c1': 'waiting', 'ask-c2': 'waiting', 'ask-c3': 'waiting' })
    await chat.resolve('ask-c1')
    await chat.resolve('ask-c2', 'rejected')
    await chat.resolve('ask-c3', 'modified', { data: { to: 'elsewhere' } })
    expect(textOf(chat.state())).toEqual(['May I send them?', 'All done.'])
    expect(byId(chat.state().toolCalls)).toMatchObject({
      c1: { status: 'completed', result: '{"sent":"as asked"}' },
      c2: { status: 'cancelled', reason: 'The person said no.' },
      c3: { status: 'completed', result: '{"sent":"elsewhere"}' },
    })
    expect(byId(chat.state().artifacts).state?.content).toEqual({ phase: 'sent', note: null })
    expect(chat.state().runs.r1).toMatchObject({ status: 'completed', usage: { inputTokens: 2 } })
    expect(validateAgentProviderEvents(chat.provider.capabilities, chat.events)).toEqual([])
    await chat.run({ message: 'Pick' }, 'r2')
    await chat.resolve('result:p1', 'approved', { data: 'blue', runId: 'r2' })
    expect(textOf(chat.state()).at(-1)).toBe('You picked blue.')
    expectValidInputs(4)
  })

  it('is sent images and files in a form that it takes', async () => {
    const chat = createConversation([], { url, fetch: globalThis.fetch })
    await chat.run({
      message: [
        { type: 'text', text: 'Look' },
        { type: 'image', url: 'https://x.example/a.png', mediaType: 'image/png' },
        { type: 'file', data: 'JVBE', mediaType: 'application/pdf', name: 'a.pdf' },
      ],
      context: [{ description: 'a', value: 'b' }],
      tools: [{ name: 'pick', description: 'Picks.', parameters: { type: 'object' } }],
    })
    expectValidInputs(1)
  })

  it('is reached through an agent of the real client just as well', async () => {
    const agent = new HttpAgent({ url })
    const signals: AbortSignal[] = []
    const transport = fromAgUiObservable((input, { signal }) => {
      signals.push(signal)
      return agent.run(structuredClone(input) as never)
    })
    const chat = createConversation([], { transport })
    expect(await chat.run({ message: 'Pick' })).toEqual([])
    await chat.resolve('result:p1', 'approved', { data: 'red' })
    expect(textOf(chat.state())).toEqual(['You picked red.'])
    expect(signals).toHaveLength(2)
    expectValidInputs(2)
  })
})

describe('events that something else brings', () => {
  it('may be an async iterable; their end without an end is a loss, an error the provider’s', async () => {
    const bring = (events: readonly unknown[], error?: Error) =>
      createConversation([], {
        transport: fromAgUiObservable(async function* () {
          yield* events
          if (error) throw error
        }),
      })
    const good = bring([started(), ...said('m1', 'Hi'), finished()])
    expect(await good.run()).toEqual([])
    expect(textOf(good.state())).toEqual(['Hi'])
    const cut = bring([started(), ...said('m1', 'Hi')])
    expect(await cut.run()).toMatchObject([{ code: 'incomplete' }])
    const failed = bring([started()], new Error('Secret of theirs.'))
    await failed.run()
    expect(failed.state().runs.r1).toMatchObject({ status: 'failed', error: { code: 'provider_error' } })
    expect(JSON.stringify(failed.state().runs)).not.toContain('Secret')
    const late = bring([started(), finished()], new Error('Late.'))
    expect(await late.run()).toEqual([])
  })

  it('may be an observable, which is left where the run is: nothing is lost, and an abort unsubscribes', async () => {
    const unsubscribe = vi.fn<() => void>()
    let push: ((event: unknown) => void) | undefined
    const transport = fromAgUiObservable(() => ({
      subscribe({ next, complete, error }) {
        push = next
        for (const event of [started(), ...said('m1', 'Hi'), finished()]) next(event)
        complete()
        error(new Error('It is over.'))
        return { unsubscribe }
      },
    }))
    const chat = createConversation([], { transport })
    expect(await chat.run()).toEqual([])
    expect(textOf(chat.state())).toEqual(['Hi'])
    expect(unsubscribe).toHaveBeenCalledTimes(1)
    expect(push).toBeDefined()

    const controller = new AbortController()
    const endless = fromAgUiObservable(() => ({
      subscribe({ next }) {
        next(started())
        return { unsubscribe }
      },
    }))
    const request = { threadId: 's1', runId: 'r1', getInput: () => ({}) as never, chunks: 0, hasEnded: false }
    const chunks = endless.open(request, controller.signal)[Symbol.asyncIterator]()
    expect((await chunks.next()).value).toMatchObject({ index: 0 })
    const waiting = chunks.next()
    controller.abort()
    await expect(waiting).rejects.toMatchObject({ name: 'AbortError' })
    expect(unsubscribe).toHaveBeenCalledTimes(2)
  })
})

interface RecordedEvent {
  readonly name: string
  readonly input: { readonly type: string }
  readonly expected: { readonly type: string }
}

/** Events as AG-UI's senders write them; where they are, the recorded ones as well, which are not part of the project. */
function readRecordedEvents(): readonly RecordedEvent[] {
  const fixture = findRecordings('ag-ui/null-omission.json')
  const own = [
    { type: 'RUN_STARTED', threadId: 't', runId: 'r' },
    { type: 'TEXT_MESSAGE_START', messageId: 'msg_1', role: 'assistant' },
    { type: 'TEXT_MESSAGE_CHUNK', messageId: 'msg_1', delta: 'Hi' },
    { type: 'TOOL_CALL_START', toolCallId: 'tc_2', toolCallName: 'search' },
    { type: 'TOOL_CALL_CHUNK', toolCallId: 'tc_1', delta: '{}' },
    { type: 'TOOL_CALL_RESULT', messageId: 'm', toolCallId: 'tc_3', content: 'ok' },
    { type: 'STATE_SNAPSHOT', snapshot: null },
    { type: 'STATE_DELTA', delta: [{ op: 'add', path: '/a', value: null }] },
    { type: 'ACTIVITY_SNAPSHOT', messageId: 'msg_6', activityType: 'SEARCH', content: {} },
    { type: 'CUSTOM', name: 'x', value: null },
    { type: 'RUN_FINISHED', threadId: 't', runId: 'r', result: null },
  ].map((event) => ({ name: `own ${event.type}`, input: event, expected: event }))
  const recorded = fixture ? (JSON.parse(readFileSync(fixture, 'utf8')) as { stream: RecordedEvent[] }) : undefined
  return [...own, ...(recorded?.stream ?? [])]
}

describe('the recorded events of AG-UI’s own senders', () => {
  // What each event needs before it, so that it is no orphan.
  const before: Readonly<Record<string, readonly object[]>> = {
    TEXT_MESSAGE_CONTENT: [{ type: 'TEXT_MESSAGE_START', messageId: 'msg_1' }],
    TEXT_MESSAGE_CHUNK: [{ type: 'TEXT_MESSAGE_CHUNK', messageId: 'msg_1', delta: 'Hi' }],
    TOOL_CALL_ARGS: [{ type: 'TOOL_CALL_START', toolCallId: 'tc_1', toolCallName: 'search' }],
    TOOL_CALL_CHUNK: [{ type: 'TOOL_CALL_CHUNK', toolCallId: 'tc_1', toolCallName: 'search', delta: '' }],
    REASONING_MESSAGE_CHUNK: [{ type: 'REASONING_MESSAGE_CHUNK', messageId: 'r', delta: 'Hm' }],
    ACTIVITY_DELTA: [{ type: 'ACTIVITY_SNAPSHOT', messageId: 'msg_6', activityType: 'SEARCH', content: {} }],
    STATE_DELTA: [{ type: 'STATE_SNAPSHOT', snapshot: { selectedId: 'a' } }],
  }

  it('are taken one by one, whether optional fields are left out or null', async () => {
    for (const { name, input, expected } of readRecordedEvents()) {
      const needs = before[input.type] ?? []
      const withNulls = { parentMessageId: null, outcome: null, code: null, role: null, ...input }
      for (const event of [input, expected, withNulls]) {
        const chat = createConversation([[started(), ...needs, event, finished()]])
        expect(await chat.run(), name).toEqual([])
        expect(chat.state().issues, name).toEqual([])
        if (chat.state().runs.r1?.status !== 'running') {
          expect(validateAgentProviderEvents(chat.provider.capabilities, chat.events), name).toEqual([])
        }
      }
    }
  })
})
