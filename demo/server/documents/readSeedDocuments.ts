import { readFileSync, readdirSync } from 'node:fs'

const folder = new URL('./seed/', import.meta.url)

/** What a new person finds on the shelf: the files of `seed`, named by their first heading. */
export function readSeedDocuments(): { id: string; title: string; content: string }[] {
  return readdirSync(folder)
    .toSorted()
    .map((name) => {
      const content = readFileSync(new URL(name, folder), 'utf8')
      const title = /^# (.+)$/m.exec(content)?.[1] ?? name
      return { id: name.replace(/\.md$/, ''), title, content }
    })
}
