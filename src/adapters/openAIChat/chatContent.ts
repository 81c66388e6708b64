import type { AgentContentPart, AgentMessageContent } from '../../protocol/agentMessageContent.ts'
import { isFilled, isRecord } from '../../protocol/predicates.ts'
import { readFileId } from '../openAI/readFileId.ts'
import { toDataUrl } from '../support/toDataUrl.ts'

type WirePart = Readonly<Record<string, unknown>>

/** Makes of a person's message what the chat wire takes: text stays text, parts become its parts. */
export function toChatContent(content: AgentMessageContent): string | WirePart[] {
  return typeof content === 'string' ? content : content.flatMap(toWirePart)
}

function toWirePart(part: AgentContentPart): WirePart[] {
  switch (part.type) {
    case 'text':
      return [{ type: 'text', text: (part as Extract<AgentContentPart, { type: 'text' }>).text }]
    case 'image': {
      const url = toDataUrl(part)
      return url === undefined ? [] : [{ type: 'image_url', image_url: { url } }]
    }
    case 'file':
      return toFilePart(part as Extract<AgentContentPart, { type: 'file' }>)
    default:
      // A part as the wire has it, by its own name.
      return part.type.startsWith('openai.') && 'data' in part && isRecord(part.data) ? [part.data] : []
  }
}

function toFilePart(part: Extract<AgentContentPart, { type: 'file' }>): WirePart[] {
  const { data, mediaType = '', name } = part
  const fileId = readFileId(data)
  if (fileId !== undefined) return [{ type: 'file', file: { file_id: fileId } }]
  const url = toDataUrl(part)
  if (url === undefined) return []
  const sound = /^audio\/(?:x-)?(wav|mp3|mpeg)$/.exec(mediaType)?.[1]
  const bytes = /^data:[^,]*;base64,(.*)$/s.exec(url)?.[1]
  if (sound !== undefined && bytes !== undefined) {
    return [{ type: 'input_audio', input_audio: { data: bytes, format: sound === 'wav' ? 'wav' : 'mp3' } }]
  }
  return [{ type: 'file', file: { filename: name ?? 'file', file_data: url } }]
}

/** Reads content as the chat wire has it, so that a page can show it. */
export function fromChatContent(content: unknown): AgentMessageContent | undefined {
  if (typeof content === 'string') return content
  return Array.isArray(content) ? content.filter(isRecord).map(fromWirePart) : undefined
}

function fromWirePart(part: WirePart): AgentContentPart {
  const { type, text, image_url: image, file } = part
  if (type === 'text' && typeof text === 'string') return { type, text }
  if (type === 'image_url' && isRecord(image) && typeof image.url === 'string') return { type: 'image', url: image.url }
  if (type === 'file' && isRecord(file) && typeof file.file_data === 'string') {
    return { type, url: file.file_data, ...(typeof file.filename === 'string' && { name: file.filename }) }
  }
  return { type: `openai.${isFilled(type) ? type : 'part'}`, data: part }
}
