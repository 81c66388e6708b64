import type { ModelClient, ModelRequest } from '../../../demo/server/chat/createModelClient.ts'

/** One answer of a scripted model: chunks, and promises to wait for between them. */
export type Script = readonly (unknown | Promise<unknown>)[]

/** A model that answers with one script after the other and keeps what it was asked. */
export function createScriptedModel(scripts: readonly Script[]): ModelClient & { requests: ModelRequest[] } {
  const requests: ModelRequest[] = []
  return {
    requests,
    async *stream(request, signal) {
      requests.push(structuredClone(request))
      const script = scripts[requests.length - 1] ?? finish('stop')
      const aborted = new Promise<never>((_resolve, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason as Error))
      })
      aborted.catch(() => undefined)
      for (const step of script) {
        const chunk = await Promise.race([step, aborted])
        if (chunk !== undefined) yield chunk
      }
    },
  }
}

/** A chunk of text. */
export const say = (content: string) => ({ choices: [{ delta: { content } }] })
/** A chunk of reasoning. */
export const think = (text: string) => ({ choices: [{ delta: { reasoning_content: text } }] })
/** Chunks that call a tool. */
export const call = (name: string, input: unknown, index = 0, id = `call-${name}-${index}`) => ({
  choices: [{ delta: { tool_calls: [{ index, id, function: { name, arguments: JSON.stringify(input) } }] } }],
})
/** The last chunk. */
export const finish = (reason: string) => [{ choices: [{ delta: {}, finish_reason: reason }] }]

/** A promise that a test settles. */
export function createGate<Value = undefined>() {
  let open: (value: Value) => void = () => {}
  const opened = new Promise<Value>((resolve) => {
    open = resolve
  })
  return { opened, open: open as (value?: Value) => void }
}
