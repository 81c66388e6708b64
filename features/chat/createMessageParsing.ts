import type { MessageInfo } from '../../src/selectors/messageInfo.ts'
import type { ChatMessage } from './chatMessage.ts'
import type { ChatMessageInfo } from './messageEdits.ts'

/** Makes of a message what the app shows of it: one thing or several. */
export type MessageParser<Parsed> = (message: ChatMessage) => Parsed | readonly Parsed[]

/** Runs a parser over messages; where it makes several of one, their ids are `${id}_${index}`. */
export type MessageParsing<Parsed> = (
  messages: readonly ChatMessageInfo[],
  parser: MessageParser<Parsed>,
) => readonly MessageInfo<Parsed>[]

/** Makes a parsing that runs each parser once a message. */
export function createMessageParsing<Parsed>(): MessageParsing<Parsed> {
  const byParser = new WeakMap<MessageParser<Parsed>, WeakMap<ChatMessageInfo, readonly MessageInfo<Parsed>[]>>()
  return (messages, parser) => {
    const known = byParser.get(parser) ?? new WeakMap<ChatMessageInfo, readonly MessageInfo<Parsed>[]>()
    byParser.set(parser, known)
    return messages.flatMap((info) => {
      const made = known.get(info) ?? parseMessage(info, parser)
      known.set(info, made)
      return made
    })
  }
}

function parseMessage<Parsed>(info: ChatMessageInfo, parser: MessageParser<Parsed>): readonly MessageInfo<Parsed>[] {
  const parsed = parser(info.message)
  const parts = (Array.isArray(parsed) ? parsed : [parsed]) as readonly Parsed[]
  return parts.map((message, index) => ({
    id: parts.length > 1 ? `${info.id}_${index}` : info.id,
    message,
    status: info.status,
  }))
}
