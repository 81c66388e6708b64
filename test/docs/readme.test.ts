import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { root } from '../support/root.ts'
import { type CodeBlock, readCodeBlocks } from './readCodeBlocks.ts'
import { createBlockCheck } from './createBlockCheck.ts'
import { readProse, readSections } from './readSections.ts'

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

  it.each(listTranslations())('%s has the same headings, tables and lists as its original', (translation, original) => {
    const read = (document: string) => readSections(readDocument(document)).map(({ outline }) => outline)
    expect(read(translation)).toEqual(read(original))
  })

  it.each(listTranslations())('%s names the same figures, code and files as its original', (translation, original) => {
    const read = (document: string) => readSections(readDocument(document)).map(({ facts }) => facts)
    expect(read(translation)).toEqual(read(original))
  })

  it.each(listTranslations())('%s and its original lead to each other at their top', (translation, original) => {
    const links = (document: string) => readDocument(document).split('\n## ')[0]
    expect(links(original)).toContain(`English | [简体中文](${basename(translation)})`)
    expect(links(translation)).toContain(`[English](${basename(original)}) | 简体中文`)
  })

  it('are in both languages, but for the decisions and what is made of the doc comments', () => {
    const translated = listTranslations().map(([, original]) => original)
    const documents = listDocuments().filter((document) => !/^docs\/(decisions\/|api\.md$)|-zh_CN\.md$/.test(document))
    expect(translated.sort()).toEqual(documents.sort())
  })

  it('point at files and headings that are there', () => {
    const toAnchor = (heading: string) =>
      heading.toLowerCase().replaceAll(/[^\p{L}\p{N}\s_-]/gu, '').replaceAll(' ', '-')
    const broken = listDocuments().flatMap((document) => {
      const prose = readProse(readDocument(document))
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

describe('the comparison of two languages', () => {
  const facts = (markdown: string) => readSections(markdown).map((section) => section.facts)

  it('sees a figure, a name or a file that one of them lacks, wherever it stands in its section', () => {
    const original = facts('# Speed\n\n`store` takes 1,000 µs, see [why](why.md#here) and 2.5 ×.')
    expect(facts('# 速度\n\n2.5 ×，[原因](why-zh_CN.md#这里)，`store` 用 1,000 µs。')).toEqual(original)
    expect(facts('# 速度\n\n2.5 ×，[原因](why-zh_CN.md)，`store` 用 1,001 µs。')).not.toEqual(original)
    expect(facts('# 速度\n\n2.5 ×，[原因](why-zh_CN.md)，`stores` 用 1,000 µs。')).not.toEqual(original)
    expect(facts('# 速度\n\n2.5 ×，[原因](other.md)，`store` 用 1,000 µs。')).not.toEqual(original)
  })

  it('keeps a figure to its section, and leaves blocks of code to their own comparison', () => {
    expect(facts('# A 1\n\n## B 2\n')).not.toEqual(facts('# A 2\n\n## B 1\n'))
    expect(facts('# A\n\n```ts\nconst a = 1\n```\n')).toEqual(facts('# A\n'))
  })

  it('sees a heading, a row, a cell or an item that one of them lacks', () => {
    const outline = (markdown: string) => readSections(markdown).map((section) => section.outline)
    const original = outline('# A\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n- one\n- two\n')
    expect(outline('# 一\n\n| 甲 | 乙 |\n|---|---|\n| 1 | 2 |\n\n- 一\n- 二\n')).toEqual(original)
    expect(outline('# 一\n\n| 甲 | 乙 |\n|---|---|\n\n- 一\n- 二\n')).not.toEqual(original)
    expect(outline('# 一\n\n| 甲 |\n|---|\n| 1 |\n\n- 一\n- 二\n')).not.toEqual(original)
    expect(outline('# 一\n\n| 甲 | 乙 |\n|---|---|\n| 1 | 2 |\n\n- 一\n')).not.toEqual(original)
    expect(outline('## 一\n\n| 甲 | 乙 |\n|---|---|\n| 1 | 2 |\n\n- 一\n- 二\n')).not.toEqual(original)
  })
})
