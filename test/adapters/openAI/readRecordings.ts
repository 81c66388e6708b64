import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { findRecordings } from '../../support/findRecordings.ts'
import { ownRecordings, type Recording } from './ownRecordings.ts'

/**
 * Gives our own recordings, and where they are those of real services, which are not part of the project: one JSON chunk
 * a line.
 */
export function readRecordings(folder: keyof typeof ownRecordings): readonly Recording[] {
  const path = findRecordings(folder)
  const files = path === undefined ? [] : readdirSync(path).filter((name) => name.endsWith('.jsonl'))
  const recorded = files.map((name) => ({
    name: name.replace('.jsonl', ''),
    chunks: readFileSync(join(path!, name), 'utf8')
      .split('\n')
      .filter((line) => line.trim() !== '')
      .map((line) => JSON.parse(line) as Record<string, unknown>),
  }))
  return [...ownRecordings[folder], ...recorded]
}
