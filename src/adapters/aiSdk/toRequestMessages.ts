import type { AiSdkMessage, AiSdkPart } from './aiSdkMessage.ts'

const openStates: ReadonlySet<unknown> = new Set([
  'input-streaming',
  'input-available',
  'approval-requested',
  'approval-responded',
])

const isOpenCall = ({ type, state }: AiSdkPart) =>
  (type === 'dynamic-tool' || type.startsWith('tool-')) && openStates.has(state)

/**
 * Makes the messages of a request of what was said. Calls without an outcome are left out, but for those of the message
 * that asks: a server takes no call whose result is missing, and what another run waits for is not this one's to say.
 * The message that asks comes last: the server goes on from that place alone, also where others have spoken since.
 */
export function toRequestMessages(messages: readonly AiSdkMessage[], askingId?: string): readonly AiSdkMessage[] {
  const asking = messages.findLast(({ id, role }) => askingId !== undefined && id === askingId && role === 'assistant')
  const others = messages.filter((message) => message !== asking).flatMap(withoutOpenCalls)
  return asking ? [...others, asking] : others
}

function withoutOpenCalls(message: AiSdkMessage): AiSdkMessage[] {
  const parts = message.parts.filter((part) => !isOpenCall(part))
  if (parts.length === message.parts.length) return [message]
  return parts.some(({ type }) => type !== 'step-start') ? [{ ...message, parts }] : []
}
