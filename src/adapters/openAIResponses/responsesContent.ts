import type { AgentContentPart, AgentMessageContent } from '../../protocol/agentMessageContent.ts'
import { isRecord } from '../../protocol/predicates.ts'
import { readFileId } from '../openAI/readFileId.ts'
import type { OpenAIFields } from '../openAI/openAIProviderOptions.ts'
import { toDataUrl } from '../support/toDataUrl.ts'

/** Makes of a person's message what the Responses wire takes: text stays text, parts become its parts. */
export function toResponsesContent(content: AgentMessageContent): string | OpenAIFields[] {
  return typeof content === 'string' ? content : content.flatMap(toWirePart)
}

function toWirePart(part: AgentContentPart): OpenAIFields[] {
  switch (part.type) {
    case 'text':
      return [{ type: 'input_text', text: (part as Extract<AgentContentPart, { type: 'text' }>).text }]
    case 'image':
      return toImagePart(part as Extract<AgentContentPart, { type: 'image' }>)
    case 'file':
      return toFilePart(part as Extract<AgentContentPart, { type: 'file' }>)
    default:
      // A part as the wire has it, by its own name.
      return part.type.startsWith('openai.') && 'data' in part && isRecord(part.data) ? [part.data] : []
  }
}

function toImagePart(part: Extract<AgentContentPart, { type: 'image' }>): OpenAIFields[] {
  const fileId = readFileId(part.data)
  if (fileId !== undefined) return [{ type: 'input_image', detail: 'auto', file_id: fileId }]
  const url = toDataUrl(part)
  return url === undefined ? [] : [{ type: 'input_image', detail: 'auto', image_url: url }]
}

function toFilePart(part: Extract<AgentContentPart, { type: 'file' }>): OpenAIFields[] {
  const fileId = readFileId(part.data)
  if (fileId !== undefined) return [{ type: 'input_file', file_id: fileId }]
  const url = toDataUrl(part)
  if (url === undefined) return []
  if (!url.startsWith('data:')) return [{ type: 'input_file', file_url: url }]
  return [{ type: 'input_file', filename: part.name ?? 'file', file_data: url }]
}
