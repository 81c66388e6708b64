import { omitText } from './omitText.ts'

/** Fields in which the tools' texts of documents and memories stand. */
const textFields = new Set(['content', 'before', 'after', 'text', 'excerpt', 'body'])
const maxLength = 500

/** A JSON value without the texts of documents, and without anything long: of each only what tells it apart. */
export function omitTexts(value: unknown, field = ''): unknown {
  if (typeof value === 'string') {
    return (textFields.has(field) && value !== '') || value.length > maxLength ? omitText(value) : value
  }
  if (Array.isArray(value)) return value.map((entry) => omitTexts(entry, field))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, entry]) => [name, omitTexts(entry, name)]))
}
