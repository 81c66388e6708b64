/** How many levels deep JSON from outside may be: whoever walks through it by recursion must come back. */
export const maxJsonDepth = 100

/** Whether a text that may be JSON is nested more than `maxJsonDepth` levels deep; found without parsing it. */
export function isNestedTooDeep(text: string): boolean {
  let depth = 0
  let isString = false
  for (let index = 0; index < text.length; index += 1) {
    const character = text[index]
    if (isString && character === '\\') index += 1
    else if (character === '"') isString = !isString
    else if (!isString && (character === '[' || character === '{')) depth += 1
    else if (!isString && (character === ']' || character === '}')) depth -= 1
    if (depth > maxJsonDepth) return true
  }
  return false
}
