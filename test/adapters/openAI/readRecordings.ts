import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** Recorded streams of real services, which are not part of the project: one JSON chunk a line. */
export function readRecordings(folder: 'openai-chat' | 'openai-responses') {
  const path = fileURLToPath(new URL(`../../../../shared/fixtures/${folder}/`, import.meta.url))
  const isThere = existsSync(path)
  const names = isThere ? readdirSync(path).filter((name) => name.endsWith('.jsonl')) : []
  return {
    isThere,
    reason: isThere ? '' : ' (skipped: the folder ../shared/fixtures is not there)',
    recordings: names.map((name) => ({
      name,
      chunks: readFileSync(`${path}${name}`, 'utf8')
        .split('\n')
        .filter((line) => line.trim() !== '')
        .map((line) => JSON.parse(line) as Record<string, unknown>),
    })),
  }
}
