import { appendFileSync } from 'node:fs'
import type { ModelClient } from '../../../demo/server/chat/createModelClient.ts'
import { defineTool, type AgentTool } from '../../../demo/server/tools/agentTool.ts'
import { call, finish, say, think } from '../support/createScriptedModel.ts'
import { createSendNotice } from '../support/noticeScenario.ts'

/** What a run is asked to do besides reading and speaking. */
export type RunKind = 'notice' | 'write' | 'both'

/** What is said to the model, and all that it goes by; `tag` is the run's own. */
export const promptOf = (kind: RunKind, tag: string) => `${kind} ${tag}`

const words = (text: string) => text.split(/(?<= )/).map(say)

/** The answers of the model, one after the other. */
function scriptOf(prompt: string): { said: string; chunks: unknown[] }[] {
  const [kind = '', tag = ''] = prompt.split(' ')
  const steps: [said: string, calls: unknown[]][] = [
    [`Before anything else I look at what there is for ${tag}. `, [call('document_search', { query: '' }, 0, 'search')]],
  ]
  if (kind !== 'write') steps.push(['Then I send the notice. ', [call('send_notice', { text: tag }, 0, 'send')]])
  if (kind !== 'notice') {
    steps.push(['I also keep it. ', [call('document_write', { title: tag, content: 'All of it.' }, 0, 'write')]])
  }
  const end = `That is all that there was to be done for ${tag}, and it is done.`
  return [
    ...steps.map(([said, calls], index) => ({
      said,
      chunks: [...(index === 0 ? [think('Hm, '), think('so.')] : []), ...words(said), ...calls, ...finish('tool_calls')],
    })),
    { said: end, chunks: [...words(end), ...finish('stop')] },
  ]
}

/** All that the model says in a run that comes to its end, however often it is asked in between. */
export const textOf = (kind: RunKind, tag: string) =>
  scriptOf(promptOf(kind, tag))
    .map(({ said }) => said)
    .join('')

/** A model that speaks word by word, at a pace that leaves room for faults; the same in whatever process it is asked. */
export function createFaultModel({ paceMs }: { paceMs: number }): ModelClient {
  return {
    async *stream({ messages }, signal) {
      const prompt = messages.find(({ role }) => role === 'user')?.content ?? ''
      const { length: done } = messages.filter(({ role }) => role === 'tool')
      const script = scriptOf(prompt)
      for (const chunk of script[Math.min(done, script.length - 1)]!.chunks) {
        await pace(paceMs)
        signal.throwIfAborted()
        yield chunk
      }
    },
  }
}

/** Sends a notice, one line in a file, with a while before and after in which a process may die or freeze. */
export function createSlowNotice(effectsFile: string, { paceMs }: { paceMs: number }): AgentTool {
  return defineTool({
    ...createSendNotice(effectsFile),
    // It does not hear that it is stopped: it acts all the same.
    async perform(input, { idempotencyKey }) {
      await pace(paceMs * 20)
      appendFileSync(effectsFile, `${idempotencyKey}\n`)
      await pace(paceMs * 20)
      return { sent: (input as { text: string }).text }
    },
  })
}

/** In a process of its own, whose streams take their time. */
const pace = (milliseconds: number) =>
  new Promise<void>((resolve) => {
    setTimeout(resolve, milliseconds)
  })
