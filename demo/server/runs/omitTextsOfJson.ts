import { omitText } from './omitText.ts'
import { omitTexts } from './omitTexts.ts'

/** JSON text, which may be cut off, without the texts of documents. */
export function omitTextsOfJson(text: string): string {
  try {
    return JSON.stringify(omitTexts(JSON.parse(text)))
  } catch {
    return JSON.stringify(omitText(text))
  }
}
