import * as z from 'zod'
import { defineTool, type AgentTool } from './agentTool.ts'

/** Keeps a fact for later conversations, after a person has agreed. */
export const memoryWrite: AgentTool = defineTool({
  name: 'memory_write',
  description: 'Remember a fact about the person or their work for later conversations. The person confirms it first.',
  effect: 'write',
  schema: z.object({ text: z.string().trim().min(1).max(2000) }),
  approval: {
    risk: 'low',
    editable: true,
    describe: () => 'Remember this for later conversations',
    async preview({ text }, { ownerId, transaction }) {
      const before = (await transaction.memories.list(ownerId)).map((memory) => `- ${memory.text}`)
      return { kind: 'memory', title: 'Memory', before: before.join('\n'), after: [...before, `- ${text}`].join('\n') }
    },
  },
  async run({ text }, { ownerId, transaction, now, createId }) {
    const memory = { ownerId, id: createId(), text, createdAt: now() }
    await transaction.memories.insert(memory)
    return { memoryId: memory.id, text }
  },
})
