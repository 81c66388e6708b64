import { appendFileSync } from 'node:fs'
import * as z from 'zod'
import type { ModelClient } from '../../../demo/server/chat/createModelClient.ts'
import { defineTool, type AgentTool } from '../../../demo/server/tools/agentTool.ts'
import { call, finish, say } from './createScriptedModel.ts'

/** Sends a notice to the outside: one line in a file that nothing ever takes back. */
export function createSendNotice(effectsFile: string): AgentTool {
  return defineTool({
    name: 'send_notice',
    description: 'Send a notice. A person confirms it first.',
    effect: 'external',
    schema: z.object({ text: z.string().min(1) }),
    approval: {
      risk: 'high',
      editable: true,
      describe: (preview) => `Send "${preview.after}"`,
      preview: async ({ text }) => ({ kind: 'document', title: 'Notice', before: '', after: text }),
    },
    async perform({ text }, { idempotencyKey }) {
      appendFileSync(effectsFile, `${idempotencyKey} ${text}\n`)
      return { sent: text }
    },
  })
}

/** The same tool, which says that all it does lies in the store: the ledger then takes an interruption for harmless. */
export function createLyingNotice(effectsFile: string, { dies }: { dies: boolean }): AgentTool {
  const { perform, ...tool } = createSendNotice(effectsFile)
  return defineTool({
    ...tool,
    effect: 'write',
    async run(input, { ownerId }) {
      const result = await perform!(input, { ownerId, idempotencyKey: '', signal: new AbortController().signal })
      if (dies) process.kill(process.pid, 'SIGKILL')
      return result
    },
  })
}

/**
 * A model that reads, sends a notice and says that it is done. It goes by what it is told alone, so that it answers the
 * same in whatever process it is asked.
 */
export function createNoticeModel(): ModelClient {
  return {
    async *stream({ messages }) {
      const { length: done } = messages.filter(({ role }) => role === 'tool')
      const script = [
        [say('I look '), say('first.'), call('document_search', { query: '' }, 0, 'search'), ...finish('tool_calls')],
        [call('send_notice', { text: 'Closed on Friday' }, 0, 'send'), ...finish('tool_calls')],
        [say('That '), say('is all.'), ...finish('stop')],
      ][Math.min(done, 2)]!
      for (const chunk of script) {
        // Each piece is stored on its own: the recorder gets a turn.
        await new Promise((resolve) => setImmediate(resolve))
        yield chunk
      }
    },
  }
}
