import { createAiSdkProvider } from 'redux-agent/adapters/ai-sdk'
import { describe, expect, it } from 'vitest'
import { createHarness, endOfTask, expectSilentConsole } from '../../store/createHarness.ts'
import { call, createAiServer, finish, say, versions, type ModelPart, type Version } from './createAiServer.ts'

expectSilentConsole()

// A person who is asked something may as well say something else first.

const go = (...parts: (ModelPart | ModelPart[])[]) => parts.flat()
const asks = (toolName: string, toolCallId: string) =>
  go(say(`About ${toolCallId}.`), call(toolName, { city: toolCallId }, toolCallId), finish('tool-calls'))
const says = (text: string) => go(say(text), finish())

/** A page whose server is the real package, which takes no call without its result. */
function createPage(version: Version, steps: readonly ModelPart[][]) {
  const server = createAiServer({ version, steps })
  const provider = createAiSdkProvider({ fetch: server.fetch })
  const page = createHarness({ providers: [provider], ids: ['r1', 'r2'], frames: false })
  const { actions } = page.agent
  return {
    ...page,
    server,
    provider,
    ask: (message: string, more: object = {}) =>
      page.store.dispatch(actions.startRun({ sessionId: 's1', provider, input: { message, ...more } })).unwrap(),
    async answer(toolCallId: string) {
      const { runId, id } = Object.values(page.state().approvals).find((entry) => entry.toolCallId === toolCallId)!
      const decision = { runId, approvalId: id, decision: 'approved' as const }
      await page.store.dispatch(actions.resolveApproval(decision)).unwrap()
      for (let turn = 0; turn < 200; turn += 1) await endOfTask()
    },
    ends: () => Object.fromEntries(Object.values(page.state().runs).map(({ id, status }) => [id, status])),
    text: () =>
      Object.values(page.state().messages)
        .filter(({ role }) => role === 'assistant')
        .map(({ runId, content }) => [runId, content]),
    /** The messages of the last request, and the calls that are told in them. */
    told: () =>
      server.requests.at(-1)!.body.messages.map(({ id, parts }) => [id, ...parts.flatMap(({ toolCallId = [] }) => toolCallId)]),
  }
}

const kinds = versions.flatMap((version) =>
  (version === 5 ? ['ask'] : ['deploy', 'ask']).map((tool) => [tool, version] as const),
)

describe.each(kinds)('what is asked by the tool %s of version %i', (tool, version) => {
  it('does not hold up what a person says instead, and is answered after that', async () => {
    const page = createPage(version, [asks(tool, 'a'), says('Meanwhile.'), says('Done.')])
    await page.ask('One')
    await page.ask('Two')
    expect(page.ends()).toEqual({ r1: 'running', r2: 'completed' })
    expect(page.told()).toEqual([['r1:user'], ['server-1'], ['r2:user']])
    await page.answer('a')
    expect(page.ends()).toEqual({ r1: 'completed', r2: 'completed' })
    expect(page.told()).toEqual([['r1:user'], ['r2:user'], ['server-2'], ['server-1', 'a']])
    expect(page.text()).toEqual(expect.arrayContaining([['r1', 'Done.'], ['r2', 'Meanwhile.']]))
    expect(page.state().issues).toEqual([])
  })

  it('may be asked by two runs, and answered in any order', async () => {
    for (const order of [['a', 'b'], ['b', 'a']]) {
      const page = createPage(version, [asks(tool, 'a'), asks(tool, 'b'), says('First.'), says('Second.')])
      await page.ask('One')
      await page.ask('Two')
      for (const toolCallId of order) await page.answer(toolCallId)
      expect(page.ends()).toEqual({ r1: 'completed', r2: 'completed' })
      expect(page.state().issues).toEqual([])
    }
  })
})

it('a run that was stopped amid a call lets the next one say what it has to', async () => {
  const page = createPage(7, [asks('ask', 'a'), says('Of course.')])
  await page.ask('One')
  await page.store.dispatch(page.agent.actions.abortRun({ sessionId: 's1' }))
  await page.ask('Two')
  expect(page.ends().r2).toBe('completed')
})

it('an answer whose question was made anew since is refused, and nothing is sent', async () => {
  const page = createPage(7, [asks('deploy', 'a'), says('Anew.')])
  await page.ask('One')
  await page.ask('One', { regenerates: 'r1' })
  const { length } = page.server.requests
  await expect(page.answer('a')).rejects.toMatchObject({ code: 'refused', message: expect.stringContaining('made anew') as string })
  expect(page.server.requests).toHaveLength(length)
})
