import * as z from 'zod'
import { createIdSchema } from '../createIdSchema.ts'
import type { ModelStep } from '../chat/createChatStreamMapper.ts'
import type { ModelTool } from '../chat/createModelClient.ts'
import type { AgentTool } from '../tools/agentTool.ts'
import type { ChatMessage } from '../chat/chatMessage.ts'
import { ModelError } from '../chat/modelError.ts'
import { readConfiguration } from './readConfiguration.ts'
import { interruptedReason, readRunPosition, type RunPosition } from './readRunPosition.ts'
import type { RunContext } from './runContext.ts'
import { runToolCall } from './runToolCall.ts'
import { streamModelStep, type RunIds } from './streamModelStep.ts'

/**
 * The ReAct loop: the model says what it wants, tools do it, the model hears of it, until it wants nothing more. It
 * begins where the run stands, so that a run that was interrupted goes on.
 */
export async function runAgentLoop(context: RunContext): Promise<void> {
  const { services, run, recorder } = context
  const { position, configuration } = await services.store.read(async (transaction) => ({
    position: await readRunPosition(transaction, run),
    configuration: await readConfiguration(services, transaction, run),
  }))
  const { messages } = position
  const names = new Set(configuration.tools)
  const offered = new Map([...services.tools].filter(([name]) => names.has(name)))
  const tools = [...offered.values()].map(describeTool)
  const ids = createRunIds(context, position)
  const usage: Record<string, number> = {}
  const complete = (output: object) =>
    // What an answer that was cut off has cost nobody knows, so that a sum would be false.
    recorder.record([{ type: 'run.completed', payload: { output, ...(!position.hasBegun && { usage }) } }])
  await closeWhatWasCut(context, position)
  if (position.isAnswered) return complete({})
  for (const call of position.openCalls) messages.push(await runToolCall(context, call, offered))
  let { cut } = position
  for (let index = position.steps; index < configuration.maxSteps; index += 1) {
    const told = cut === undefined ? messages : [...messages, ...askToContinue(cut.text)]
    const step = await streamModelStep(context, { messages: told, tools, ids, cut })
    cut = undefined
    for (const [name, count] of Object.entries(step.usage)) usage[name] = (usage[name] ?? 0) + count
    if (step.toolCalls.length === 0) {
      return complete(describeOutput(step))
    }
    messages.push(describeStep(step))
    for (const call of step.toolCalls) messages.push(await runToolCall(context, call, offered))
    await recorder.commit(async () => [], 'iteration_completed')
  }
  throw new ModelError({
    code: 'too_many_steps',
    message: `The model did not come to an end within ${configuration.maxSteps} steps. Ask for less at once.`,
    retryable: false,
  })
}

/** Half-streamed arguments are of no use: such a call is asked for anew. Text stands, and its message stays open. */
async function closeWhatWasCut({ run, recorder }: RunContext, position: RunPosition): Promise<void> {
  const reason = interruptedReason
  await recorder.commit(async (transaction) => {
    for (const toolCallId of position.abandonedCallIds) {
      await transaction.toolCalls.update(run.runId, toolCallId, { status: 'cancelled' })
    }
    return [
      ...position.openReasoningIds.map((reasoningId) => ({
        type: 'reasoning.cancelled' as const,
        payload: { reasoningId, reason },
      })),
      ...position.abandonedCallIds.map((toolCallId) => ({
        type: 'tool.cancelled' as const,
        payload: { toolCallId, reason },
      })),
    ]
  })
}

function askToContinue(text: string): ChatMessage[] {
  if (text === '') return []
  const content = 'The answer above was cut off. Go on exactly where it ends, and repeat nothing of it.'
  return [
    { role: 'assistant', content: text },
    { role: 'system', content },
  ]
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

const wireIdSchema = createIdSchema()

/** The first message gets the id that the client knows; a tool call keeps the wire's id unless it is none or taken. */
function createRunIds({ services, run }: RunContext, position: RunPosition): RunIds {
  const taken = new Set(position.toolCallIds)
  let first = !position.isFirstMessageTaken
  return {
    createMessageId() {
      const id = first ? run.assistantMessageId : services.createId()
      first = false
      return id
    },
    claimToolCallId(wireId) {
      const wanted = wireIdSchema.safeParse(wireId).data
      const id = wanted === undefined || taken.has(wanted) ? services.createId() : wanted
      taken.add(id)
      return id
    },
  }
}
