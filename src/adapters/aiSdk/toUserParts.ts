import type { AgentContentPart, AgentMessageContent } from '../../protocol/agentMessageContent.ts'
import { isRecord } from '../../protocol/predicates.ts'
import { omitUndefined } from '../../state/omitUndefined.ts'
import { getMediaType } from '../support/getMediaType.ts'
import { toDataUrl } from '../support/toDataUrl.ts'
import type { AiSdkPart } from './aiSdkMessage.ts'

/** Makes the parts of a UIMessage of what a person said: text, files, and data of the app's own kinds. */
export function toUserParts(content: AgentMessageContent): readonly AiSdkPart[] {
  if (typeof content === 'string') return [{ type: 'text', text: content }]
  return content.flatMap(toUserPart)
}

function toUserPart(part: AgentContentPart): AiSdkPart[] {
  if (isText(part)) return [{ type: 'text', text: part.text }]
  if (isMedia(part)) {
    const url = toDataUrl(part)
    const named = omitUndefined({ filename: part.type === 'image' ? undefined : part.name })
    return url === undefined ? [] : [{ type: 'file', mediaType: getMediaType(part), ...named, url }]
  }
  const { type, data } = part
  // A data part may come as the wire has it, with its id.
  const id = type.startsWith('data-') && isRecord(data) && typeof data.id === 'string' ? { id: data.id } : {}
  return [{ type: type.startsWith('data-') ? type : `data-${type}`, ...id, data }]
}

type Media = Extract<AgentContentPart, { type: 'image' | 'file' }>

const isText = (part: AgentContentPart): part is Extract<AgentContentPart, { type: 'text' }> => part.type === 'text'
const isMedia = (part: AgentContentPart): part is Media => part.type === 'image' || part.type === 'file'
