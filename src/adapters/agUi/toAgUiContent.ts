import type { AgentContentPart, AgentMessageContent } from '../../protocol/agentMessageContent.ts'
import { isRecord } from '../../protocol/predicates.ts'
import { toDataUrl } from '../support/toDataUrl.ts'
import type { AgUiContentPart, AgUiPartSource } from './agUiWire.ts'

/** Makes a person's message as AG-UI has it; parts of a vendor that AG-UI has no word for are left out. */
export function toAgUiContent(content: AgentMessageContent): string | AgUiContentPart[] {
  if (typeof content === 'string') return content
  return content.map(toPart).filter((part) => part !== undefined)
}

function toPart(part: AgentContentPart): AgUiContentPart | undefined {
  if (isText(part)) return { type: 'text', text: part.text }
  if (!isMedia(part)) return undefined
  const source = toSource(part)
  if (!source) return undefined
  const media = /^(image|audio|video)\//.exec(part.mediaType ?? '')?.[1] ?? 'document'
  const kind = part.type === 'image' ? 'image' : media
  return { type: kind as 'image' | 'audio' | 'video' | 'document', source }
}

type MediaPart = Extract<AgentContentPart, { type: 'image' | 'file' }>
const isText = (part: AgentContentPart): part is Extract<AgentContentPart, { type: 'text' }> => part.type === 'text'
const isMedia = (part: AgentContentPart): part is MediaPart => part.type === 'image' || part.type === 'file'

function toSource(part: MediaPart): AgUiPartSource | undefined {
  const { url, data, mediaType } = part
  const address = toDataUrl({ ...part, data: isRecord(data) ? data.base64 : data })
  const inline = address === undefined ? undefined : /^data:([^;,]*)(?:;[^,]*)?;base64,(.*)$/s.exec(address)
  if (inline) return { type: 'data', value: inline[2]!, mimeType: mediaType ?? inline[1]! }
  return url === undefined ? undefined : { type: 'url', value: url, ...(mediaType !== undefined && { mimeType: mediaType }) }
}
