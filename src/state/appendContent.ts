import {
  isAgentMessageContent,
  type AgentContentPart,
  type AgentMessageContent,
} from '../protocol/agentMessageContent.ts'

/**
 * Appends content to content part by part, neighbouring text merged, so that any split of the same content gives the
 * same result. A list that `owned` holds is extended in place.
 *
 * @throws TypeError where the delta is no content, before anything is appended.
 */
export function appendContent(
  content: AgentMessageContent,
  delta: AgentMessageContent,
  owned: WeakSet<object>,
): AgentMessageContent {
  if (!isAgentMessageContent(delta)) throw new TypeError('The delta is no content of a message.')
  const parts = ownParts(content, owned)
  for (const part of toParts(delta)) {
    const last = parts.at(-1)
    if (part.type === 'text' && last?.type === 'text') {
      parts[parts.length - 1] = { ...last, ...part, text: last.text + part.text }
    } else parts.push(part)
  }
  return parts
}

function ownParts(content: AgentMessageContent, owned: WeakSet<object>): AgentContentPart[] {
  if (typeof content === 'object' && owned.has(content)) return content as AgentContentPart[]
  const parts = [...toParts(content)]
  owned.add(parts)
  return parts
}

function toParts(content: AgentMessageContent): readonly AgentContentPart[] {
  if (typeof content === 'object') return content
  return content === '' ? [] : [{ type: 'text', text: content }]
}
