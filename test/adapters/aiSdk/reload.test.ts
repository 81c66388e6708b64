import { createMemoryAgentCheckpointStorage } from 'redux-agent'
import { createAiSdkProvider, type AiSdkProviderOptions } from 'redux-agent/adapters/ai-sdk'
import { createGate } from 'redux-agent/testing'
import { describe, expect, it } from 'vitest'
import { createHarness, endOfTask, expectSilentConsole } from '../../store/createHarness.ts'
import { streamOf } from './createAiServer.ts'
import { asking, goingOn, remaining } from './openQuestion.ts'

expectSilentConsole()

// A page that is left while a person is asked and the stream that asks is still open: it is no parked run.

/** A stream that says so much and then nothing, until its page is gone. */
function hang(chunks: readonly object[]): Response {
  const silence = createGate()
  const bytes = new TextEncoder().encode(chunks.map((chunk) => `data: ${JSON.stringify(chunk)}\n\n`).join(''))
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => controller.enqueue(bytes),
    pull: () => silence.pass(),
  })
  return new Response(body, { headers: { 'content-type': 'text/event-stream' } })
}

async function leave(options: Pick<AiSdkProviderOptions, 'resume'>, first: Response) {
  const sent: string[] = []
  const answers = [first, streamOf(options.resume ? [...asking, ...remaining] : goingOn), streamOf(goingOn)]
  const fetch: typeof globalThis.fetch = async (url, init) => {
    sent.push(`${init?.method ?? 'GET'} ${String(url)}`)
    return answers[sent.length - 1]!
  }
  const checkpointStorage = createMemoryAgentCheckpointStorage()
  async function open(id: string) {
    const provider = createAiSdkProvider({ ...options, fetch })
    const page = createHarness({ providers: [provider], ids: [id], frames: false, checkpointStorage })
    const settle = async () => {
      for (let turn = 0; turn < 25; turn += 1) await endOfTask()
    }
    const { actions } = page.agent
    await page.store.dispatch(actions.openSession({ sessionId: 's1' })).unwrap()
    const answer = () =>
      page.store.dispatch(actions.resolveApproval({ runId: 'r1', approvalId: 'a', decision: 'approved' })).unwrap()
    const text = () => Object.values(page.state().messages).map(({ content }) => content)
    return { ...page, provider, settle, answer, text }
  }
  const before = await open('r1')
  const { actions } = before.agent
  const task = before.store.dispatch(actions.startRun({ sessionId: 's1', provider: before.provider, input: { message: 'Go' } }))
  void task.unwrap().catch(() => undefined)
  await before.settle()
  expect(before.state().approvals['2:r1:a']?.status).toBe('waiting')
  before.hide()
  await before.settle()
  const after = await open('r2')
  await after.settle()
  return { after, sent }
}

describe('a run that asks while its stream is open, and whose page is reloaded', () => {
  it('is taken up again where the server can, then answered, with every word once', async () => {
    const { after, sent } = await leave({ resume: 'replay' }, hang(asking))
    expect(sent).toEqual(['POST /api/chat', 'GET /api/chat/s1/stream'])
    expect(after.connection('r1')?.state).toBe('idle')
    expect(after.state().toolCalls['2:r1:look']).toMatchObject({ status: 'completed', result: 'seen' })
    await after.answer()
    await after.settle()
    expect(after.state().runs.r1?.status).toBe('completed')
    expect(after.text()).toEqual(['Go', 'Done.'])
    expect(after.state().issues).toEqual([])
  })

  it('is lost where the server cannot; its answer says so, and is not kept in silence', async () => {
    const { after, sent } = await leave({}, hang(asking))
    expect(after.connection('r1')?.state).toBe('unrecoverable')
    await expect(after.answer()).rejects.toMatchObject({ message: expect.stringMatching(/^ai-sdk: The stream that asks was lost/) as string })
    expect(sent).toEqual(['POST /api/chat'])
    expect(after.commands()).toMatchObject([{ status: 'failed' }])
  })

  it('goes on by its answer where nothing else was under way', async () => {
    const { after, sent } = await leave({}, hang(asking.filter((chunk) => !('toolName' in chunk && chunk.toolName === 'look'))))
    expect(after.connection('r1')?.state).toBe('unrecoverable')
    await after.answer()
    await after.settle()
    expect(sent).toEqual(['POST /api/chat', 'POST /api/chat'])
    expect(after.state().runs.r1?.status).toBe('completed')
    expect(after.text()).toEqual(['Go', 'Done.'])
  })

  it('is parked where its stream had ended: nothing is asked of the server but the answer', async () => {
    for (const resume of ['replay', undefined] as const) {
      const { after, sent } = await leave({ resume }, streamOf([...asking, ...remaining]))
      expect(after.connection('r1')?.state).toBe('idle')
      expect(sent).toEqual(['POST /api/chat'])
    }
  })
})
