import type { AgUiHandlers } from './agUiHandlers.ts'
import type { AgUiScope } from './agUiScope.ts'
import type { AgUiParts } from './createAgUiParts.ts'
import type { TextEntity } from './createTextEntities.ts'
import { takeSnapshot } from './mapSnapshot.ts'

type MessageEventType = 'TEXT_MESSAGE_START' | 'TEXT_MESSAGE_CONTENT' | 'TEXT_MESSAGE_END' | 'MESSAGES_SNAPSHOT'

/** What is done with the events of messages. */
export function handleMessageEvents(
  scope: AgUiScope,
  parts: AgUiParts,
  /** Gives what the run was asked. */
  getQuestion: () => TextEntity | undefined,
): AgUiHandlers<MessageEventType> {
  const { messages, record, opaque } = parts
  return {
    TEXT_MESSAGE_START: (event) => parts.startMessage(event.messageId, event),
    TEXT_MESSAGE_CONTENT: ({ messageId, delta }) => messages.append(messageId, delta),
    TEXT_MESSAGE_END: ({ messageId }) => messages.end(messageId),
    MESSAGES_SNAPSHOT: (event) =>
      takeSnapshot(scope, event.messages, {
        ...parts,
        encrypt: opaque.note,
        question: getQuestion(),
        rename(entity, wireId) {
          messages.texts.alias(entity, wireId)
          if (entity.meta.messageId === wireId) return
          if (!messages.note(entity, { messageId: wireId })) record.note('aliases', entity.wireId, wireId)
        },
      }),
  }
}
