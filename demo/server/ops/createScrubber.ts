import { isNestedTooDeep } from '../isNestedTooDeep.ts'
import { createTextScrubber, type TextScrubber } from './createTextScrubber.ts'
import { secretFields, secretRules } from './secretRules.ts'

export const redacted = '[redacted]'

/** Takes secrets out of what is about to be stored or logged. */
export interface Scrubber {
  text(text: string): string
  /** Of JSON: in all texts but ids, and whole where a field's name says so; gives the same value where it is clean. */
  value<Value>(value: Value): Value
  /** For one text that comes in pieces: a secret may be cut anywhere. */
  createTextScrubber(): TextScrubber
}

/** What is taken out besides what looks like a secret wherever it stands. */
export interface ScrubberOptions {
  /** Secrets that are known: a key, a password. Shorter ones than 8 characters are no secret, and left. */
  known?: readonly (string | undefined)[]
  /** Sources of regular expressions; what comes in pieces is matched where no white space parts it. */
  patterns?: readonly string[]
}

/**
 * Makes the scrubber of one server.
 *
 * @throws Error where a pattern is no regular expression, or matches nothing at all.
 */
export function createScrubber({ known = [], patterns = [] }: ScrubberOptions = {}): Scrubber {
  const values = known.filter((value): value is string => value !== undefined && value.length >= 8)
  const own = patterns.map(checkPattern)
  const sources = [...secretRules.map(({ whole }) => whole), ...own, ...values.map(escapePattern)]
  const whole = new RegExp(sources.join('|'), 'gi')
  const text = (input: string) => input.replace(whole, replaceMatch)
  const endings = [...secretRules.map((rule) => rule.open), ...(own.length > 0 ? ['\\S{1,256}'] : [])]
  const open = new RegExp(endings.map((ending) => `(?:${ending})$`).join('|'), 'i')

  const scrubValue = (value: unknown, isId = false): unknown => {
    if (typeof value === 'string') return isId ? value : text(scrubJson(value))
    if (Array.isArray(value)) {
      const changed = value.map((entry) => scrubValue(entry))
      return changed.some((entry, index) => entry !== value[index]) ? changed : value
    }
    if (typeof value !== 'object' || value === null) return value
    const entries = Object.entries(value)
    const changed = entries.map(([key, entry]) => [text(key), scrubField(key, entry)] as const)
    const isSame = changed.every(([key, entry], index) => key === entries[index]![0] && entry === entries[index]![1])
    return isSame ? value : Object.fromEntries(changed)
  }
  /** What a tool gave is told to the model as JSON in a text, whose fields have names too. */
  const scrubJson = (input: string): string => {
    // Brackets alone cost much to read, and no tool's fields lie so deep.
    if (!/^\s*[{[]/.test(input) || isNestedTooDeep(input)) return input
    try {
      const parsed: unknown = JSON.parse(input)
      const changed = scrubValue(parsed)
      return changed === parsed ? input : JSON.stringify(changed)
    } catch {
      return input
    }
  }
  const scrubField = (key: string, entry: unknown): unknown => {
    if (secretFields.test(key) && (typeof entry === 'string' || typeof entry === 'number')) return redacted
    return scrubValue(entry, /(?:^i|_i|I)d$/.test(key))
  }
  return {
    text,
    value: <Value>(value: Value) => scrubValue(value) as Value,
    createTextScrubber: () => createTextScrubber({ whole, open, known: values, replaceMatch }),
  }
}

/** What a rule keeps stands before what takes the place of the rest. */
function replaceMatch(match: string, ...rest: unknown[]): string {
  const groups = rest[rest.length - 1]
  const kept = typeof groups === 'object' && groups !== null ? Object.values(groups as Record<string, string>) : []
  const keep = kept.find((group) => group !== undefined && match.startsWith(group)) ?? ''
  return `${keep}${redacted}`
}

function checkPattern(source: string): string {
  try {
    if (!new RegExp(source, 'i').test('')) return `(?:${source})`
  } catch (cause) {
    throw new Error(`SECRET_PATTERNS holds what is no regular expression: ${source}`, { cause })
  }
  throw new Error(`SECRET_PATTERNS holds a pattern that matches nothing at all: ${source}`)
}

function escapePattern(text: string): string {
  return text.replace(/[$()*+.?[\\\]^{|}]/g, '\\$&')
}
