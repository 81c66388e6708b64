import * as ai7 from 'ai'
import * as test7 from 'ai/test'
import * as ai5 from 'ai-5'
import * as test5 from 'ai-5/test'
import * as ai6 from 'ai-6'
import * as test6 from 'ai-6/test'
import type { AiSdkMessage } from 'redux-agent/adapters/ai-sdk'
import * as z from 'zod'

export type Version = 5 | 6 | 7
export const versions: readonly Version[] = [5, 6, 7]

type StreamText = (options: object) => { toUIMessageStreamResponse(options: object): Response }

// What the tests use is the same in all three; their types are not assignable to one another.
type Ai = typeof ai7
export const packages: Readonly<Record<Version, Ai>> = {
  5: ai5 as unknown as Ai,
  6: ai6 as unknown as Ai,
  7: ai7,
}

/** A part of a model's stream, as all versions of the providers' interface have it but for `finish`. */
export type ModelPart = Readonly<Record<string, unknown>> & { readonly type: string }

export const say = (text: string, id = 't1'): ModelPart[] => [
  { type: 'text-start', id },
  ...(text.match(/.{1,4}/gsu) ?? []).map((delta) => ({ type: 'text-delta', id, delta })),
  { type: 'text-end', id },
]
export const call = (toolName: string, input: unknown, toolCallId = `${toolName}-1`): ModelPart[] => {
  const text = JSON.stringify(input)
  return [
    { type: 'tool-input-start', id: toolCallId, toolName },
    { type: 'tool-input-delta', id: toolCallId, delta: text.slice(0, 3) },
    { type: 'tool-input-delta', id: toolCallId, delta: text.slice(3) },
    { type: 'tool-input-end', id: toolCallId },
    { type: 'tool-call', toolCallId, toolName, input: text },
  ]
}
export const finish = (reason = 'stop'): ModelPart => ({ type: 'finish', reason })

/** What a model does at each call; an error thrown when it is asked, or in mid-stream. */
export type ModelStep = readonly (ModelPart | { readonly type: 'throw'; readonly error: Error })[] | Error

function createModel(version: Version, steps: readonly ModelStep[]) {
  const prompts: unknown[] = []
  const asked = { count: 0 }
  const usage = version === 5 ? { inputTokens: 1, outputTokens: 1, totalTokens: 2 } : usage3
  const doStream = async ({ prompt }: { prompt: unknown }) => {
    prompts.push(structuredClone(prompt))
    const step = steps[asked.count]
    asked.count += 1
    if (!step) throw new Error('The script has no more steps.')
    if (step instanceof Error) throw step
    const parts = [{ type: 'stream-start', warnings: [] }, ...step]
    return {
      stream: new ReadableStream({
        pull(controller) {
          const part = parts.shift()
          if (!part) controller.close()
          else if (part.type === 'throw') controller.error((part as { error: Error }).error)
          else if (part.type === 'finish') {
            const { reason } = part as unknown as { reason: string }
            controller.enqueue({ type: 'finish', usage, finishReason: version === 5 ? reason : toReason(reason) })
          } else controller.enqueue(part)
        },
      }),
    }
  }
  const behaviour = { doStream, supportedUrls } as never
  const model =
    version === 5
      ? new test5.MockLanguageModelV2(behaviour)
      : version === 6
        ? new test6.MockLanguageModelV3(behaviour)
        : new test7.MockLanguageModelV4(behaviour)
  return { model, prompts, asked }
}

// Else the package fetches what messages name.
const supportedUrls: Record<string, RegExp[]> = { '*/*': [/^https:/] }
const toReason = (unified: string) => ({ unified, raw: unified })
const usage3 = {
  inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 1, text: 1, reasoning: 0 },
}

/** Tools of each kind: the server runs some at once, some when a person agrees, and some the client runs. */
function createTools(version: Version, runs: string[]) {
  const { tool } = packages[version]
  const inputSchema = z.object({ city: z.string() })
  return {
    weather: tool({
      inputSchema,
      execute: async ({ city }) => {
        runs.push(`weather ${city}`)
        return { city, degrees: 21 }
      },
    }),
    broken: tool({
      inputSchema,
      execute: async (): Promise<string> => {
        throw new Error('The station is down.')
      },
    }),
    slow: tool({
      inputSchema,
      async *execute({ city }: { city: string }) {
        yield { city, progress: 1 }
        yield { city, progress: 2 }
        runs.push(`slow ${city}`)
        yield { city, progress: 3 }
      },
    }),
    deploy: tool({
      inputSchema,
      needsApproval: true,
      execute: async ({ city }: { city: string }) => {
        runs.push(`deploy ${city}`)
        return `deployed to ${city}`
      },
    } as never),
    ask: tool({ inputSchema }),
  }
}

export interface ServerRequest {
  readonly method: string
  readonly url: string
  readonly headers: Headers
  readonly body: {
    readonly messages: readonly AiSdkMessage[]
    readonly [field: string]: unknown
  }
}

export interface AiServerOptions {
  version: Version
  steps: readonly ModelStep[]
  /** Options of streamText. */
  stream?: Readonly<Record<string, unknown>>
  /** Options of the UI message stream. */
  response?: Readonly<Record<string, unknown>>
  /** Answers instead of the model. */
  answer?: (request: ServerRequest, index: number) => Response | undefined | Promise<Response | undefined>
  withIds?: boolean
}

/** A server on the real package, behind a `fetch`: no socket, no network, its model a script. */
export function createAiServer(options: AiServerOptions) {
  const { version, steps, withIds = true } = options
  const ai = packages[version]
  const { model, prompts } = createModel(version, steps)
  const runs: string[] = []
  const requests: ServerRequest[] = []
  /** The wire's words, by stream. */
  const sent: string[] = []
  const tools = createTools(version, runs)
  let messages = 0

  async function chat({ body }: ServerRequest): Promise<Response> {
    const uiMessages = body.messages as never
    const result = (ai.streamText as unknown as StreamText)({
      model,
      tools,
      messages: await ai.convertToModelMessages(uiMessages),
      stopWhen: ai.stepCountIs(5),
      maxRetries: 0,
      onError: () => undefined,
      ...options.stream,
    })
    return result.toUIMessageStreamResponse({
      ...(withIds && { originalMessages: uiMessages, generateMessageId: () => `server-${(messages += 1)}` }),
      sendSources: true,
      onError: (error: unknown) => (error instanceof Error ? error.message : String(error)),
      ...options.response,
    })
  }

  const fetch: typeof globalThis.fetch = async (input, init) => {
    init?.signal?.throwIfAborted()
    const body = typeof init?.body === 'string' ? (JSON.parse(init.body) as ServerRequest['body']) : { messages: [] }
    const request = { method: init?.method ?? 'GET', url: String(input), headers: new Headers(init?.headers), body }
    requests.push(request)
    const response = (await options.answer?.(request, requests.length - 1)) ?? (await chat(request))
    if (!response.body || !response.ok) return response
    const index = sent.push('') - 1
    const decoder = new TextDecoder()
    const recorded = response.body.pipeThrough(
      new TransformStream<Uint8Array, Uint8Array>({
        transform(bytes, controller) {
          sent[index] += decoder.decode(bytes, { stream: true })
          controller.enqueue(bytes)
        },
      }),
    )
    return new Response(recorded, { status: response.status, headers: response.headers })
  }
  return { fetch, requests, sent, runs, prompts, tools, ai, version }
}

/** The chunks of a recorded stream. */
export function readChunks(sent: string): unknown[] {
  return sent
    .split('\n\n')
    .filter((frame) => frame.startsWith('data: ') && frame !== 'data: [DONE]')
    .map((frame) => JSON.parse(frame.slice(6)) as unknown)
}

/** A response of chunks as they are, for what no model says. */
export function streamOf(chunks: readonly unknown[], options: { done?: boolean; headers?: HeadersInit } = {}): Response {
  const { done = true, headers } = options
  const frames = [...chunks.map((chunk) => JSON.stringify(chunk)), ...(done ? ['[DONE]'] : [])]
  return new Response(frames.map((frame) => `data: ${frame}\n\n`).join(''), {
    headers: { 'content-type': 'text/event-stream', 'x-vercel-ai-ui-message-stream': 'v1', ...headers },
  })
}
