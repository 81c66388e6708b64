import type { ModelClient } from '../../demo/server/chat/createModelClient.ts'

/** What a run of `count` tokens says, piece by piece; each piece is another, so that one that is lost is missed. */
export const tokenOf = (index: number) => `w${index} `

/**
 * Makes a model that says as many tokens as the last message asks for. With `tokensPerSecond` each comes when it is
 * due, also after the process was held up; without, as fast as it is read.
 */
export function createPacedModel({ tokensPerSecond }: { tokensPerSecond?: number } = {}): ModelClient {
  return {
    async *stream({ messages }, signal) {
      const prompt = messages.findLast(({ role }) => role === 'user')?.content
      const count = Number(/\d+/.exec(typeof prompt === 'string' ? prompt : '')?.[0] ?? 0)
      const startedAt = performance.now()
      for (let index = 0; index < count; index += 1) {
        const due = tokensPerSecond === undefined ? 0 : startedAt + (index * 1000) / tokensPerSecond - performance.now()
        await (due > 0 ? wait(due, signal) : new Promise((resolve) => setImmediate(resolve)))
        signal.throwIfAborted()
        yield { choices: [{ delta: { content: tokenOf(index) } }] }
      }
      yield { choices: [{ delta: {}, finish_reason: 'stop' }] }
    },
  }
}

function wait(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer)
      signal.removeEventListener('abort', end)
      resolve()
    }
    const timer = setTimeout(end, milliseconds)
    signal.addEventListener('abort', end)
  })
}
