/** Fewer brackets than state may be deep, and fewer digits than a number may have before an exponent of two more. */
const manyBrackets = 100
const manyDigits = 200

/**
 * Whether a JSON text is worth looking through for what state cannot hold: every word comes by here, and few have so
 * many brackets or digits. In one pass, as a text may be megabytes long.
 */
export function mayNotFit(text: string): boolean {
  let brackets = 0
  let digits = 0
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index)
    if (code === 91 || code === 123) brackets += 1
    digits = code >= 48 && code <= 57 ? digits + 1 : 0
    if (brackets >= manyBrackets || digits >= manyDigits) return true
  }
  return /\d[eE]\+?\d{3}/.test(text)
}
