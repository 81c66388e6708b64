import type { ChatRequest, ChatRequestMessage } from './chatRequest.ts'
import type { ToolAnswer, TurnCall, TurnContext } from './plannedStep.ts'

/** Reads from the messages where the turn stands. */
export function readTurn({ messages, tools = [] }: ChatRequest): TurnContext {
  const system = messages.find((message) => message.role === 'system')?.content ?? ''
  const start = messages.findLastIndex((message) => message.role === 'user')
  const prompt = messages[start]?.content ?? ''
  const current = /^Current document: (\{.*\})$/m.exec(system)?.[1]
  const remembered = /^Remembered:\n((?:- .*(?:\n|$))+)/m.exec(system)?.[1] ?? ''
  return {
    prompt: prompt.trim(),
    language: /\p{Script=Han}/u.test(prompt) ? 'zh' : 'en',
    calls: pairCalls(messages.slice(start + 1)),
    tools: new Set(tools.map((tool) => tool.function.name)),
    currentDocumentId: current === undefined ? undefined : readString(parseObject(current).documentId),
    lastDocumentId: findLastDocument(pairCalls(messages.slice(0, Math.max(start, 0)))),
    memories: remembered.split('\n').flatMap((line) => (line.startsWith('- ') ? [line.slice(2)] : [])),
  }
}

function pairCalls(messages: readonly ChatRequestMessage[]): TurnCall[] {
  const answers = new Map(messages.flatMap((one) => (one.tool_call_id ? [[one.tool_call_id, one.content ?? '']] : [])))
  return messages.flatMap((message) =>
    (message.tool_calls ?? []).map((call) => ({
      name: call.function.name,
      arguments: parseObject(call.function.arguments),
      result: readAnswer(parseObject(answers.get(call.id) ?? '')),
    })),
  )
}

function readAnswer(answer: Record<string, unknown>): ToolAnswer {
  if (answer.ok === true) {
    const edited = answer.arguments === undefined ? undefined : toObject(answer.arguments)
    return { kind: 'done', result: toObject(answer.result), edited }
  }
  if (answer.status === 'rejected') return { kind: 'rejected' }
  const message = readString(toObject(answer.error).message) ?? readString(answer.message)
  return { kind: 'failed', message: message ?? 'The tool gave no readable answer.' }
}

function findLastDocument(calls: readonly TurnCall[]): string | undefined {
  const found = calls.findLast(({ result }) => result.kind === 'done' && typeof result.result.documentId === 'string')
  return found?.result.kind === 'done' ? readString(found.result.result.documentId) : undefined
}

function parseObject(text: string): Record<string, unknown> {
  try {
    return toObject(JSON.parse(text))
  } catch {
    return {}
  }
}

function toObject(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {}
}

function readString(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}
