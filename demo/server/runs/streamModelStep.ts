import type { ChatMessage } from '../chat/chatMessage.ts'
import { createChatStreamMapper, type CutAnswer, type ModelStep } from '../chat/createChatStreamMapper.ts'
import type { ModelTool } from '../chat/createModelClient.ts'
import { ModelError } from '../chat/modelError.ts'
import type { DeltaDraft, EventDraft } from './eventDraft.ts'
import type { RunContext } from './runContext.ts'

/** Ids that a run has given out. */
export interface RunIds {
  createMessageId(): string
  claimToolCallId(wireId: string | undefined): string
}

/** Streams one answer of the model into the log and gives what it came to. Throws ModelError where it is unusable. */
export async function streamModelStep(
  context: RunContext,
  options: { messages: readonly ChatMessage[]; tools: readonly ModelTool[]; ids: RunIds; cut?: CutAnswer },
): Promise<ModelStep> {
  const { services, run, recorder, signal } = context
  const mapper = createChatStreamMapper({
    createMessageId: options.ids.createMessageId,
    createReasoningId: services.createId,
    claimToolCallId: options.ids.claimToolCallId,
    withReasoning: run.enableThinking,
    cut: options.cut,
  })
  const request = {
    model: run.model,
    messages: options.messages,
    tools: options.tools,
    enableThinking: run.enableThinking,
  }
  for await (const chunk of services.model.stream(request, signal)) {
    for (const draft of mapper.push(chunk)) await store(context, draft)
  }
  const { drafts, step } = mapper.finish()
  if (step.finishReason === undefined) {
    throw new ModelError({
      code: 'model_cut',
      message: 'The model service ended its answer before it was complete. Try again.',
      retryable: true,
    })
  }
  if (step.finishReason === 'content_filter') {
    throw new ModelError({
      code: 'content_filter',
      message: 'The model service withheld its answer by its content filter. Ask in another way.',
      retryable: false,
    })
  }
  await recorder.commit(async (transaction) => {
    const calls = step.toolCalls.map(({ toolCallId: id, name, arguments: text }) => ({
      id,
      type: 'function' as const,
      function: { name, arguments: text },
    }))
    for (const call of step.toolCalls) {
      await transaction.toolCalls.update(run.runId, call.toolCallId, { arguments: call.arguments })
    }
    const content = step.text === '' ? null : step.text
    if (content === null && calls.length === 0) return drafts
    await transaction.transcript.append({
      runId: run.runId,
      message: { role: 'assistant', content, ...(calls.length > 0 && { tool_calls: calls }) },
    })
    return drafts
  }, step.toolCalls.length > 0 ? 'tool_call_arguments_completed' : 'iteration_completed')
  return step
}

async function store({ recorder, run }: RunContext, draft: EventDraft | DeltaDraft): Promise<void> {
  if (isDelta(draft)) return recorder.delta(draft)
  if (draft.type !== 'tool.requested') return recorder.record([draft])
  const { toolCallId, name } = draft.payload
  const row = { runId: run.runId, ownerId: run.ownerId, toolCallId, name, arguments: '', signature: null, attempt: 1 }
  const open = { isExternal: false, result: null, revision: null, holdUntil: null, retriedBy: null, completedAt: null }
  await recorder.commit(async (transaction) => {
    await transaction.toolCalls.insert({ ...row, ...open, status: 'requested' })
    return [draft]
  })
}

function isDelta(draft: EventDraft | DeltaDraft): draft is DeltaDraft {
  return draft.type.endsWith('delta')
}
