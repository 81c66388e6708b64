import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { ownRecordings, type Recording } from './ownRecordings.ts'

/**
 * Gives our own recordings, and where they are those of real services, which are not part of the project: one JSON chunk
 * a line.
 */
export function readRecordings(folder: keyof typeof ownRecordings): readonly Recording[] {
  const path = fileURLToPath(new URL(`../../../../shared/fixtures/${folder}/`, import.meta.url))
  const names = existsSync(path) ? readdirSync(path).filter((name) => name.endsWith('.jsonl')) : []
  const recorded = names.map((name) => ({
    name: name.replace('.jsonl', ''),
    chunks: readFileSync(`${path}${name}`, 'utf8')
      .split('\n')
      .filter((line) => line.trim() !== '')
      .map((line) => JSON.parse(line) as Record<string, unknown>),
  }))
  return [...ownRecordings[folder], ...recorded]
}
