import type { AgentState } from 'redux-agent'
import {
  createOpenAIResponsesProvider,
  type OpenAIResponsesProviderOptions,
} from 'redux-agent/adapters/openai-responses'
import { validateAgentProviderEvents } from 'redux-agent/testing'
import { expect } from 'vitest'
import { collectRun } from '../openAI/collectRun.ts'
import { createWire } from '../openAI/createWire.ts'
import { createResponseScript } from './createResponseScript.ts'

/** Why a call that the app is to run ends with its run. */
export const handed = 'It is the app’s to run, and to answer with its next request.'

/** Runs a response's chunks, and checks that the contract is kept. */
export async function runResponse(chunks: readonly unknown[], options: OpenAIResponsesProviderOptions = {}) {
  const provider = createOpenAIResponsesProvider({ ...options, fetch: createWire([...chunks]).fetch })
  const { events, failures, state } = await collectRun(provider, { input: { message: 'Hello' } })
  expect(state.issues).toEqual([])
  const isParked = state.runs.r1!.status === 'running'
  if (!isParked) expect(validateAgentProviderEvents(provider.capabilities, events)).toEqual([])
  return { events, failures, state, run: state.runs.r1! }
}

/** The answer's message. */
export const answerOf = (state: AgentState) => Object.values(state.messages).find(({ role }) => role === 'assistant')
/** The calls, as far as tests look at them. */
export const callsOf = (state: AgentState) =>
  Object.values(state.toolCalls).map(({ id, name, arguments: text, status, result, reason }) => ({
    ...{ id, name, text, status },
    ...(result !== undefined && { result }),
    ...(reason !== undefined && { reason }),
  }))

/** What one kind of call becomes, by its item and what streams of it before. */
export async function runCall(item: Record<string, unknown>, progress: readonly object[] = [], options = {}) {
  const script = createResponseScript()
  script.begin({ ...item, status: 'in_progress' })
  for (const event of progress) script.send({ item_id: item.id, output_index: 0, ...event })
  script.done(item)
  const { state, run: ended } = await runResponse(script.complete(), options)
  expect(ended.status).toBe('completed')
  return { state, ended, call: callsOf(state)[0] }
}
