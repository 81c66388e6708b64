import { selectAgentTimeline, selectMessages } from 'redux-agent'
import type { AiSdkMessage } from 'redux-agent/adapters/ai-sdk'
import { validateAgentProviderEvents } from 'redux-agent/testing'
import { describe, expect, it } from 'vitest'
import { readWithClient } from './readWithClient.ts'
import { createHeadlessRun, waitingApproval } from './runHeadless.ts'
import type { Answer } from './scenario.ts'
import { answerInMessage, cases, createServer } from './scenarios.ts'

/** Runs a scenario to its end, and what the package's own client makes of the same streams beside it. */
async function play([, scenario, version]: (typeof cases)[number]) {
  const server = createServer(scenario, version)
  const run = createHeadlessRun({ fetch: server.fetch, mayResetSteps: version === 7 })
  await run.start()
  const rounds: (readonly Answer[])[] = [...(scenario.answers ?? [])]
  for (const round of rounds) {
    for (const { tool, decision, data } of round) await run.answer(waitingApproval(run, tool), decision, data)
  }
  let index = -1
  const theirs = await readWithClient(version, server.sent, (message) => answerInMessage(message, rounds[(index += 1)]!))
  return { scenario, server, run, theirs }
}

describe.each(cases)('%s', (...entry) => {
  let played: ReturnType<typeof play> | undefined
  const playOnce = () => (played ??= play(entry))

  it('ends as it should, by the rules, with nothing refused', async () => {
    const { scenario, run } = await playOnce()
    expect(run.state().runs.r1).toMatchObject({ status: scenario.status })
    expect(run.state().issues).toEqual([])
    expect(validateAgentProviderEvents(run.provider.capabilities, run.events)).toEqual([])
  })

  it('makes the messages that the package’s own client has, and that its server takes', async () => {
    const { server, run, theirs } = await playOnce()
    const [user, ours, ...more] = run.messages()
    expect(more).toEqual([])
    expect(user).toEqual({ id: 'r1:user', role: 'user', parts: [{ type: 'text', text: 'Go' }] })
    if (!theirs || theirs.parts.length === 0) return expect(ours).toBeUndefined()
    expect(ours).toEqual(toOurs(theirs))
    const { convertToModelMessages, validateUIMessages } = server.ai
    const messages = (list: unknown[]) => structuredClone(list) as never
    const convert = (list: unknown[]) => convertToModelMessages(messages(list), { tools: server.tools as never })
    expect(await convert([user, ours])).toEqual(await convert([user, toOurs(theirs)]))
    await validateUIMessages({ messages: messages([user, ours]) })
  })

  it('shows the same words', async () => {
    const { run, theirs } = await playOnce()
    const shown = selectMessages(run.state())
      .filter(({ message }) => message.role === 'assistant')
      .map(({ message: { content } }) => textOf(content))
    const said = (theirs?.parts ?? []).filter(({ type }) => type === 'text').map(({ text }) => text as string)
    // Texts that overlap stand in messages of their own, in the order in which they began.
    expect(shown.join('')).toBe(said.join(''))
    expect(selectAgentTimeline(run.state()).some(({ entity }) => 'reason' in entity && entity.reason === 'reset')).toBe(
      false,
    )
  })
})

const textOf = (content: string | readonly { type: string; text?: string }[]) =>
  typeof content === 'string' ? content : content.map((part) => part.text ?? '').join('')

/**
 * The differences: an answer without an id gets one of its run's, where the client's own generates one; one without a
 * part is no message; and arguments that the server refused stand in `input`, as of version 7, not in `rawInput`.
 */
function toOurs(message: AiSdkMessage): AiSdkMessage {
  const parts = message.parts.map(({ rawInput, ...part }) =>
    rawInput !== undefined && part.state === 'output-error' ? { ...part, input: rawInput } : { ...part, ...(rawInput !== undefined && { rawInput }) },
  )
  return { ...message, id: message.id || 'r1:assistant', parts: parts as unknown as AiSdkMessage['parts'] }
}
