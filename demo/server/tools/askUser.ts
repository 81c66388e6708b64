import * as z from 'zod'
import { shortListOf } from '../shortListOf.ts'
import { defineTool, type AgentTool } from './agentTool.ts'

/** Asks the person something and gives what they answered. */
export const askUser: AgentTool = defineTool({
  name: 'ask_user',
  description: 'Ask the person a question that only they can answer, and wait for the answer.',
  effect: 'none',
  schema: z.object({
    question: z.string().trim().min(1).max(2000),
    options: shortListOf(z.string().trim().min(1).max(200), 20).optional().describe('Answers to choose from'),
  }),
  approval: {
    risk: 'low',
    editable: true,
    ask: ({ question, options }) => ({ question, options }),
    describe: (preview) => preview.title,
    preview: async ({ question }) => ({ kind: 'question', title: question, before: '', after: '' }),
  },
  run: async (_input, { answer = '' }) => ({ answer }),
})
