import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
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

/** Each Chinese document, and the English one that it is the same as. */
const listTranslations = (): readonly (readonly [string, string])[] =>
  listDocuments()
    .filter((document) => document.endsWith('-zh_CN.md'))
    .map((document) => [document, document.replace('-zh_CN.md', '.md')] as const)

const isTypeScript = ({ language }: CodeBlock): boolean => language === 'ts' || language === 'tsx'

describe('the documents', () => {
  it('show TypeScript that compiles', () => {
    const blocks = listDocuments().flatMap((document) => readCodeBlocks(document, readDocument(document)))
    expect(checkBlocks(blocks.filter(isTypeScript))).toEqual([])
  })

  it.each(listTranslations())('%s shows the same code as its original, comments apart', (translation, original) => {
    const read = (document: string) =>
      readCodeBlocks(document, readDocument(document)).map(({ language, code }) => ({
        language,
        code: code.replaceAll(/(^|[ \t]+)(\/\/(?! file:)|#).*$/gm, ''),
      }))
    expect(read(translation)).toEqual(read(original))
  })

  it.each(listTranslations())('%s has the same headings and tables as its original', (translation, original) => {
    const read = (document: string) => {
      const prose = readDocument(document).replaceAll(/^(`{3,}).*?^\1[ \t]*$/gms, '')
      // Of a table's row what matters is how many cells it has.
      return [...prose.matchAll(/^(?:(#{1,6}) |(\|.*\|)$)/gm)].map(([, level, row]) => level ?? row!.split('|').length)
    }
    expect(read(translation)).toEqual(read(original))
  })

  it('point at files and headings that are there', () => {
    const toAnchor = (heading: string) =>
      heading.toLowerCase().replaceAll(/[^\p{L}\p{N}\s_-]/gu, '').replaceAll(' ', '-')
    const broken = listDocuments().flatMap((document) => {
      const prose = readDocument(document).replaceAll(/^(`{3,}).*?^\1[ \t]*$/gms, '')
      return [...prose.matchAll(/\]\((?!https?:)([^)\s#]*)(?:#([^)\s]*))?\)/g)].flatMap(([, path = '', anchor]) => {
        const target = path === '' ? document : join(dirname(document), path)
        if (!existsSync(join(root, target))) return [`${document}: ${target}`]
        if (anchor === undefined) return []
        const anchors = [...readDocument(target).matchAll(/^#{1,6} (.*)$/gm)].map(([, heading]) => toAnchor(heading!))
        return anchors.includes(decodeURIComponent(anchor)) ? [] : [`${document}: ${target}#${anchor}`]
      })
    })
    expect(broken).toEqual([])
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
