import { Hono } from 'hono'
import { setNodeTimer, type SetTimer } from '../setTimer.ts'
import { chatRequestSchema, type ChatRequest } from './chatRequest.ts'
import { planStep } from './planStep.ts'
import { splitStep } from './splitStep.ts'

/**
 * A model server that needs no key and no network: it speaks the wire of OpenAI's chat completions, streams token by
 * token and plans from what the person wrote. It keeps nothing between requests. `tokenDelayMs` is in milliseconds.
 *
 * @example
 * serve({ fetch: createLocalModelApp({ tokenDelayMs: 15 }).fetch, port: 8788, hostname: '127.0.0.1' })
 */
export function createLocalModelApp(options: { tokenDelayMs: number; setTimer?: SetTimer; now?(): number }): Hono {
  const { tokenDelayMs, setTimer = setNodeTimer, now = Date.now } = options
  const wait = () =>
    tokenDelayMs === 0 ? undefined : new Promise<void>((resolve) => void setTimer(resolve, tokenDelayMs))
  const app = new Hono()
  app.post('/v1/chat/completions', async (context) => {
    const parsed = chatRequestSchema.safeParse(await context.req.json().catch(() => undefined))
    if (!parsed.success) {
      const error = { message: 'Send a streamed chat completion request.', type: 'invalid_request_error', code: null }
      return context.json({ error }, 400)
    }
    const chunks = createChunks(parsed.data, Math.floor(now() / 1000))
    const encoder = new TextEncoder()
    let position = 0
    const body = new ReadableStream<Uint8Array>({
      async pull(controller) {
        await wait()
        const chunk = chunks[position]
        position += 1
        controller.enqueue(encoder.encode(`data: ${chunk === undefined ? '[DONE]' : JSON.stringify(chunk)}\n\n`))
        if (chunk === undefined) controller.close()
      },
    })
    return new Response(body, { headers: { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' } })
  })
  return app
}

function createChunks(request: ChatRequest, created: number): unknown[] {
  const step = planStep(request)
  // Made from the place in the thread, so that the same messages give the same ids.
  const createCallId = (index: number) => `call_${request.messages.length}_${index}`
  const deltas = splitStep(step, { thinking: request.enable_thinking ?? false, createCallId })
  const base = { id: `chatcmpl-local-${request.messages.length}`, object: 'chat.completion.chunk', created }
  const chunk = (delta: unknown, reason: string | null) => ({
    ...base,
    model: request.model,
    choices: [{ index: 0, delta, finish_reason: reason }],
  })
  const prompt = Math.ceil(JSON.stringify(request.messages).length / 4)
  const reasoning = deltas.filter((delta) => 'reasoning_content' in delta).length
  const usage = {
    prompt_tokens: prompt,
    completion_tokens: deltas.length,
    total_tokens: prompt + deltas.length,
    completion_tokens_details: { reasoning_tokens: reasoning },
  }
  return [
    ...deltas.map((delta) => chunk(delta, null)),
    chunk({}, step.toolCalls.length > 0 ? 'tool_calls' : 'stop'),
    { ...base, model: request.model, choices: [], usage },
  ]
}
