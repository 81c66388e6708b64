import { chineseRules } from './chineseRules.ts'
import { englishRules } from './englishRules.ts'
import type { Intent } from './intent.ts'

/** No request that is understood is longer, and patterns cost time. */
const maxLength = 2000
const quotes = /^["“'‘「『]|["”'’」』]$/g
const greeting = /^(?:(?:hi|hello|hey|ok|okay)[,!.]? +|你好[，,！!]? *)/i
const politeness = [
  /^(?:please|could you|can you|would you|i want you to|i'd like you to),? +/i,
  /^(?:请|麻烦|能不能|可以)?(?:你)?(?:帮我|帮忙|帮)/,
  /^(?:请|麻烦|能不能|可以)/,
]

/** Understands a prompt by its words; politeness and a full stop do not count. */
export function readIntent(prompt: string): Intent {
  const text = prompt.trim().replace(/\s+/g, ' ').slice(0, maxLength).replace(greeting, '')
  const plain = stripPoliteness(text).replace(/,? please(?=[.!?]?$)/i, '').replace(/[.!。！]+$/, '')
  // "Could you shorten it?" asks for a deed, not for an answer.
  const deed = plain === text ? plain : plain.replace(/[?？]+$/, '')
  for (const { kind, pattern } of [...englishRules, ...chineseRules]) {
    const match = pattern.exec(deed)
    if (match === null) continue
    const fields = Object.entries(match.groups ?? {}).map(([name, value]) => [name, trim(value, name)])
    // The groups of a rule are the fields of its kind.
    return { kind, ...Object.fromEntries(fields) } as Intent
  }
  return { kind: 'unknown' }
}

function stripPoliteness(text: string): string {
  const pattern = politeness.find((polite) => polite.test(text))
  return pattern === undefined ? text : stripPoliteness(text.replace(pattern, ''))
}

function trim(value: string | undefined, name: string): string {
  const text = (value ?? '').trim()
  return name === 'title' || name === 'topic' ? text.replace(quotes, '').trim() : text
}
