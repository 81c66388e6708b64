import type { AnyAgentProvider } from 'redux-agent'
import { createAgUiProvider } from 'redux-agent/adapters/ag-ui'
import { createAiSdkProvider } from 'redux-agent/adapters/ai-sdk'
import { describe, expect, it } from 'vitest'
import { collectRun } from './openAI/collectRun.ts'
import { streamText } from './openAI/createWire.ts'

// A list of a wire may hold more wrong entries than a check could note.

type Wire = (fetch: typeof globalThis.fetch) => AnyAgentProvider

const agUi: Wire = (fetch) => createAgUiProvider({ fetch, url: '/agent' })
const aiSdk: Wire = (fetch) => createAiSdkProvider({ fetch })
const zeros = `[${'0,'.repeat(300_000)}0]`
const started = '{"type":"RUN_STARTED","threadId":"s1","runId":"r1"}'
const ended = (rest: string) => `{"type":"RUN_FINISHED","threadId":"s1","runId":"r1",${rest}}`

const frames: readonly (readonly [string, Wire, readonly string[]])[] = [
  ['a snapshot of messages, by ag-ui', agUi, [started, `{"type":"MESSAGES_SNAPSHOT","messages":${zeros}}`]],
  ['a message’s calls, by ag-ui', agUi, [started, `{"type":"MESSAGES_SNAPSHOT","messages":[{"id":"m","role":"assistant","toolCalls":${zeros}}]}`]],
  ['questions, by ag-ui', agUi, [started, ended(`"outcome":{"type":"interrupt","interrupts":${zeros}}`)]],
  ['calls that are left, by ag-ui', agUi, [started, ended(`"outcome":{"type":"interrupt","pendingToolCallIds":${zeros}}`)]],
  ['usages, by ag-ui', agUi, [started, ended(`"usage":${zeros}`)]],
  ['a message’s parts, by ai-sdk', aiSdk, ['{"type":"start"}', `{"type":"steering-message","id":"m","parts":${zeros}}`]],
]

describe('a list of hundreds of thousands of entries that are none', () => {
  it.each(frames)('is one error that names its chunk: %s', async (_name, make, wire) => {
    const provider = make(async () => streamText(wire.map((frame) => `data: ${frame}\n\n`).join('')))
    const { failures, state } = await collectRun(provider, { input: { message: 'Hi' } })
    expect(failures).toMatchObject([{ name: 'AgentTransportError', code: 'invalid_frame', chunk: 1 }])
    expect(state.runs.r1?.status).toBe('failed')
  })
})
