import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { root } from '../support/root.ts'
import { type CodeBlock, readCodeBlocks } from './readCodeBlocks.ts'
import { createBlockCheck } from './createBlockCheck.ts'

const checkBlocks = createBlockCheck()

const readDocument = (document: string): string => {
  const path = join(root, document)
  return existsSync(path) ? readFileSync(path, 'utf8') : ''
}

const listDocuments = (): readonly string[] => {
  const folder = join(root, 'docs')
  const inDocs = existsSync(folder) ? readdirSync(folder, { recursive: true, encoding: 'utf8' }) : []
  return ['README.md', 'README-zh_CN.md', ...inDocs.filter((file) => file.endsWith('.md')).map((file) => `docs/${file}`)]
}

const isTypeScript = ({ language }: CodeBlock): boolean => language === 'ts' || language === 'tsx'

describe('the documents', () => {
  it('show TypeScript that compiles', () => {
    const blocks = listDocuments().flatMap((document) => readCodeBlocks(document, readDocument(document)))
    expect(checkBlocks(blocks.filter(isTypeScript))).toEqual([])
  })

  it('show the same code in both languages, comments apart', () => {
    const read = (document: string) =>
      readCodeBlocks(document, readDocument(document)).map(({ language, code }) => ({
        language,
        code: code.replaceAll(/(^|[ \t]+)(\/\/(?! file:)|#).*$/gm, ''),
      }))
    expect(read('README-zh_CN.md')).toEqual(read('README.md'))
  })

  it('have the same headings in both languages', () => {
    const read = (document: string) => {
      const prose = readDocument(document).replaceAll(/^(`{3,}).*?^\1[ \t]*$/gms, '')
      return [...prose.matchAll(/^(#{1,6}) /gm)].map(([, level]) => level)
    }
    expect(read('README-zh_CN.md')).toEqual(read('README.md'))
  })
})

describe('the check of code blocks', () => {
  const check = (markdown: string) => checkBlocks(readCodeBlocks('example.md', markdown))

  it('names the document and the line of what does not compile', () => {
    const markdown = "# Title\n\n```ts\nconst one = 1\nconst two: string = one\n```\n"
    expect(check(markdown)).toEqual(["example.md:5 Type 'number' is not assignable to type 'string'."])
  })

  it('refuses a name that the package does not export', () => {
    expect(check("```tsx\nimport { noSuchName } from 'redux-agent'\nnoSuchName()\n```\n")).toEqual([
      expect.stringContaining('noSuchName'),
    ])
  })

  it('lets one block import another by its file name, and keeps the names of the others apart', () => {
    const store = '```ts\n// file: app/store.ts\nexport const store = { count: 1 }\n```\n'
    const other = '```ts\nconst store = 2\n```\n'
    const use = "```tsx\nimport { store } from './app/store'\nconst count: number = store.count\n```\n"
    expect(check(store + other + use)).toEqual([])
    expect(check(store + store)).toEqual([expect.stringContaining('an earlier block')])
  })
})
