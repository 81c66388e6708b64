import * as z from 'zod'
import type { ModelStep } from '../chat/createChatStreamMapper.ts'
import type { ModelTool } from '../chat/createModelClient.ts'
import type { AgentTool } from '../tools/agentTool.ts'
import { buildChatMessages } from './buildChatMessages.ts'
import { ModelError } from '../chat/modelError.ts'
import type { RunContext } from './runContext.ts'
import { runToolCall } from './runToolCall.ts'
import { streamModelStep, type RunIds } from './streamModelStep.ts'

/** The ReAct loop: the model says what it wants, tools do it, the model hears of it, until it wants nothing more. */
export async function runAgentLoop(context: RunContext): Promise<void> {
  const { services, run, recorder } = context
  const messages = await services.store.transaction((transaction) => buildChatMessages(transaction, run))
  const offered = new Map([...services.tools].filter(([, tool]) => run.mode !== 'plan' || tool.approval === undefined))
  const tools = [...offered.values()].map(describeTool)
  const ids = createRunIds(context)
  const usage: Record<string, number> = {}
  for (let index = 0; index < services.settings.maxSteps; index += 1) {
    const step = await streamModelStep(context, { messages, tools, ids })
    for (const [name, count] of Object.entries(step.usage)) usage[name] = (usage[name] ?? 0) + count
    if (step.toolCalls.length === 0) {
      await recorder.record([{ type: 'run.completed', payload: { output: describeOutput(step), usage } }])
      return
    }
    messages.push(describeStep(step))
    for (const call of step.toolCalls) messages.push(await runToolCall(context, call, offered))
  }
  throw new ModelError({
    code: 'too_many_steps',
    message: `The model did not come to an end within ${services.settings.maxSteps} steps. Ask for less at once.`,
    retryable: false,
  })
}

function describeTool({ name, description, schema }: AgentTool): ModelTool {
  const { $schema: _dialect, ...parameters } = z.toJSONSchema(schema)
  return { name, description, parameters }
}

function describeStep({ text, toolCalls }: ModelStep) {
  return {
    role: 'assistant' as const,
    content: text === '' ? null : text,
    tool_calls: toolCalls.map(({ toolCallId: id, name, arguments: input }) => ({
      id,
      type: 'function' as const,
      function: { name, arguments: input },
    })),
  }
}

function describeOutput({ messageId, finishReason, refused }: ModelStep) {
  return { finishReason, ...(messageId !== undefined && { messageId }), ...(refused && { refused }) }
}

/** The first message gets the id that the client knows; a tool call keeps the wire's id unless the run has it. */
function createRunIds({ services, run }: RunContext): RunIds {
  const taken = new Set<string>()
  let first = true
  return {
    createMessageId() {
      const id = first ? run.assistantMessageId : services.createId()
      first = false
      return id
    },
    claimToolCallId(wireId) {
      const id = wireId === undefined || taken.has(wireId) ? services.createId() : wireId
      taken.add(id)
      return id
    },
  }
}
