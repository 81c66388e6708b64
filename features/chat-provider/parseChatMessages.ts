import type { ChatProviderMessage } from './chatProvider.ts'

/** Makes what is shown of each message; several things get ids of their own. */
export function parseChatMessages<Message, Parsed>(
  messages: readonly ChatProviderMessage<Message>[],
  parser: ((message: Message) => Parsed | Parsed[]) | undefined,
): readonly ChatProviderMessage<Parsed>[] {
  // Without a parser what is parsed is the message itself, which is then the type's default.
  if (!parser) return messages as readonly ChatProviderMessage<unknown>[] as readonly ChatProviderMessage<Parsed>[]
  return messages.flatMap(({ id, message, status }) => {
    const parsed = parser(message)
    if (!Array.isArray(parsed)) return [{ id, message: parsed, status }]
    return parsed.map((part, index) => ({ id: parsed.length > 1 ? `${id}_${index}` : id, message: part, status }))
  })
}
