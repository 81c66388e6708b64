import { HttpAgent } from '@ag-ui/client'
import { HttpAgent as HttpAgent0 } from 'ag-ui-client-0'
import { toAgUiMessages } from 'redux-agent/adapters/ag-ui'
import { streamText, toSse } from '../openAI/createWire.ts'
import { byId, createConversation } from './runAgUi.ts'

/** Events, or a text that is sent as it is, or any other answer. */
export type Stream = readonly unknown[] | string | Response

function toAnswer(stream: Stream): Response {
  if (stream instanceof Response) return stream.clone()
  return streamText(typeof stream === 'string' ? stream : toSse(stream))
}

/** What a reader of an AG-UI stream came to, in words that all three have. */
export interface Verdict {
  /** Whether the run was taken for a good one. */
  readonly isRejected: boolean
  /** The assistant's words by message, empty ones left out. */
  readonly texts: Readonly<Record<string, string>>
  /** Arguments of each call. */
  readonly calls: Readonly<Record<string, string>>
  /** Content of each result, by call. */
  readonly results: Readonly<Record<string, unknown>>
  /** What is asked, by interrupt. */
  readonly asked: readonly string[]
  readonly state: unknown
}

interface Message {
  readonly id?: string
  readonly role: string
  readonly content?: unknown
  readonly toolCalls?: readonly { id: string; function: { arguments: string } }[] | undefined
  readonly toolCallId?: string
}

function read(messages: readonly Message[]): Pick<Verdict, 'texts' | 'calls' | 'results'> {
  const texts: Record<string, string> = {}
  const calls: Record<string, string> = {}
  const results: Record<string, unknown> = {}
  for (const { id = '', role, content, toolCalls = [], toolCallId = '' } of messages) {
    if (role === 'assistant' && typeof content === 'string' && content !== '') texts[id] = content
    if (role === 'tool') results[toolCallId] = content
    for (const call of toolCalls) calls[call.id] = call.function.arguments
  }
  return { texts, calls, results }
}

/** Lets one of the real clients read a stream. */
async function readWith(Agent: typeof HttpAgent, events: Stream, state: unknown): Promise<Verdict> {
  const agent = new Agent({
    url: 'https://agent.example.com/run',
    threadId: 's1',
    initialMessages: [{ id: 'q1', role: 'user', content: 'Hello' }],
    initialState: state,
    fetch: async () => toAnswer(events),
  })
  const isRejected = await agent.runAgent({ runId: 'r1' }).then(
    () => false,
    () => true,
  )
  const asked = (agent.pendingInterrupts ?? []).map(({ id }) => id)
  return { isRejected, ...read(agent.messages as unknown as Message[]), asked, state: agent.state as unknown }
}

export const readWithClient1 = (events: Stream, state: unknown = {}) => readWith(HttpAgent, events, state)
export const readWithClient0 = (events: Stream, state: unknown = {}) =>
  readWith(HttpAgent0 as unknown as typeof HttpAgent, events, state)

/** Lets ours read it. */
export async function readWithOurs(events: Stream, state: unknown = {}): Promise<Verdict> {
  const chat = createConversation([toAnswer(events)])
  const failures = await chat.run({ message: 'Hello', messageId: 'q1', state })
  const asked = Object.values(chat.state().approvals).filter(({ status }) => status === 'waiting')
  const shared = Object.values(byId(chat.state().artifacts)).findLast(({ name }) => name === 'state')
  const { texts, results } = read(toAgUiMessages(chat.state()) as Message[])
  return {
    isRejected: failures.length > 0,
    texts,
    calls: Object.fromEntries(Object.values(chat.state().toolCalls).map((call) => [call.id, call.arguments])),
    results,
    asked: asked.map(({ id, meta }) => ((meta?.agUi ?? {}) as { interruptId?: string }).interruptId ?? id),
    state: shared ? shared.content : state,
  }
}
