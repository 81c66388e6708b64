import { createOpenAIResponsesProvider } from 'redux-agent/adapters/openai-responses'
import { validateAgentProviderEvents } from 'redux-agent/testing'
import { describe, expect, it } from 'vitest'
import { collectRun } from '../openAI/collectRun.ts'
import { createWire } from '../openAI/createWire.ts'
import { createLongScript } from './createLongScript.ts'

// Numbers that do not follow each other: something is missing, or comes too late. What the service says in the end is
// right, or the run fails; never a text with a hole in it, and no call with such arguments.

async function run(chunks: readonly unknown[]) {
  const provider = createOpenAIResponsesProvider({ fetch: createWire(chunks).fetch })
  const { events, failures, state } = await collectRun(provider, { input: { message: 'Hi' } })
  expect(state.issues).toEqual([])
  expect(validateAgentProviderEvents(provider.capabilities, events)).toEqual([])
  const of = <Entity extends object>(record: Readonly<Record<string, Entity>>) => Object.values(record)
  const facts = {
    messages: of(state.messages).map(({ content }) => content),
    reasoning: of(state.reasoning).map(({ content }) => content),
    calls: of(state.toolCalls).map(({ id, name, arguments: args, result }) => ({ id, name, args, result })),
  }
  return { run: state.runs.r1!, facts, failures }
}

const chunks = createLongScript()
const arrivals = chunks.flatMap((chunk, at) => {
  const { type } = chunk as { type: string }
  const without = chunks.filter((_, index) => index !== at)
  const ways = [
    { name: `${at}, ${type}, missing`, played: without },
    { name: `${at}, ${type}, after the next one`, played: without.toSpliced(at + 1, 0, chunk) },
    { name: `${at}, ${type}, five later`, played: without.toSpliced(at + 5, 0, chunk) },
  ]
  return at === chunks.length - 1 ? [] : ways
})

describe('a chunk', () => {
  it.each(arrivals)('$name leaves all right, or fails the run', async ({ played }) => {
    const whole = await run(chunks)
    const { run: ended, facts, failures } = await run(played)
    expect(['completed', 'failed']).toContain(ended.status)
    if (ended.status === 'completed') return expect(facts).toEqual(whole.facts)
    expect(failures).toMatchObject([{ code: 'invalid_frame', adapter: 'openai-responses' }])
    expect(ended.error?.message).toMatch(/^openai-responses: chunk \d+ of the stream tells of arguments of which a part did not come\.$/)
  })

  it('of a message that is missing is told by its end, with what stands beside the text', async () => {
    const at = chunks.findIndex((chunk) => (chunk as { type: string }).type === 'response.output_text.delta')
    const { facts } = await run(chunks.filter((_, index) => index !== at + 1))
    const { facts: whole } = await run(chunks)
    expect(facts.messages).toEqual(whole.messages)
    expect(facts.messages[1]).toMatchObject([{ type: 'text', text: 'See 世界 😀 here' }, { type: 'openai.url_citation' }])
  })
})
