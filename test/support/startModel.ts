import { createGate, type Gate } from 'redux-agent/testing'
import { onTestFinished } from 'vitest'
import { listen } from '../../demo/server/listen.ts'
import { createLocalModelApp } from '../../demo/server/model/createLocalModelApp.ts'

/** Where the model's words stand in what it says to one message of the person. */
export interface Spot {
  /** Which of its answers it is, from 0: there is one more after each tool call. */
  readonly answer: number
  readonly of: 'reasoning' | 'text' | 'arguments'
  /** How many pieces of this kind the answer had before. */
  readonly after: number
}

/** The demo's own model in a place where a test can hold it, so that nothing overtakes what the test looks at. */
export interface TestModel {
  /** What the run server has to be told, to ask this model. */
  readonly serverEnv: Readonly<Record<string, string>>
  /** From now on the model says nothing from that spot on, until the gate is opened or the test has finished. */
  readonly holdAt: (spot: Spot) => Gate
  readonly stop: () => void
}

interface Chunk {
  readonly choices?: readonly {
    readonly delta: {
      readonly reasoning_content?: string
      readonly content?: string | null
      readonly tool_calls?: readonly { readonly function: { readonly arguments: string } }[]
    }
  }[]
}
interface Asked {
  readonly messages: readonly { readonly role: string }[]
}

export const startModel = async ({ tokenDelay }: { tokenDelay: number }): Promise<TestModel> => {
  const local = createLocalModelApp({ tokenDelayMs: tokenDelay })
  const holds = new Set<{ readonly spot: Spot; readonly gate: Gate }>()

  const answer = async (request: Request): Promise<Response> => {
    const asked = (await request.json()) as Asked
    // As the run server asks the model that is its own.
    const body = JSON.stringify({ ...asked, enable_thinking: true })
    const headers = { 'content-type': 'application/json' }
    const answered = await local.request(new URL(request.url).pathname, { method: 'POST', headers, body })
    const number = countAnswers(asked)
    const counts = { reasoning: 0, text: 0, arguments: 0 }
    const held = new TransformStream<Uint8Array, Uint8Array>({
      async transform(bytes, controller) {
        const kind = getKind(bytes)
        if (kind !== undefined) {
          const isHere = ({ answer: at, of, after }: Spot) => at === number && of === kind && after === counts[kind]
          for (const { spot, gate } of [...holds]) if (isHere(spot)) await gate.pass(request.signal)
          counts[kind] += 1
        }
        controller.enqueue(bytes)
      },
    })
    return new Response(answered.body!.pipeThrough(held), { status: answered.status, headers: answered.headers })
  }
  const { server, url } = await listen({ fetch: answer, port: 0, host: '127.0.0.1' })
  return {
    serverEnv: { OPENAI_API_KEY: 'local', OPENAI_BASE_URL: `${url}/v1`, MODEL: 'local' },
    holdAt(spot) {
      const hold = { spot, gate: createGate() }
      holds.add(hold)
      onTestFinished(() => {
        holds.delete(hold)
        hold.gate.open()
      })
      return hold.gate
    },
    stop() {
      server.close()
      server.closeAllConnections()
    },
  }
}

/** How many answers the model gave since the person's last message. */
const countAnswers = ({ messages }: Asked): number => {
  const last = messages.findLastIndex(({ role }) => role === 'user')
  return messages.slice(last).filter(({ role }) => role === 'assistant').length
}

/** What a chunk is a piece of; the first one of a tool call has no arguments yet. */
const getKind = (bytes: Uint8Array): Spot['of'] | undefined => {
  const data = new TextDecoder().decode(bytes).slice('data: '.length)
  const delta = data.startsWith('{') ? (JSON.parse(data) as Chunk).choices?.[0]?.delta : undefined
  if (delta?.reasoning_content) return 'reasoning'
  if (delta?.content) return 'text'
  return delta?.tool_calls?.[0]?.function.arguments ? 'arguments' : undefined
}
