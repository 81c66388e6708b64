import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './root.ts'

/** Where recordings of real services are, which are not part of the project; nothing where they are not beside it. */
export function findRecordings(folder = ''): string | undefined {
  const path = join(root, '..', 'shared', 'fixtures', folder)
  return existsSync(path) ? path : undefined
}
