import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { root } from '../support/root.ts'
import { createExampleHost } from './createExampleHost.ts'
import { createApiReader } from './readApi.ts'
import { readEntries } from './readEntries.ts'
import { writeApi } from './writeApi.ts'

const document = readFileSync(join(root, 'docs/api.md'), 'utf8')
const { entries, options } = readEntries()

/** What an app gets of each entry, by the name that it imports. */
const modules: Readonly<Record<string, () => Promise<object>>> = {
  'redux-agent': () => import('redux-agent'),
  'redux-agent/react': () => import('redux-agent/react'),
  'redux-agent/rtk-query': () => import('redux-agent/rtk-query'),
  'redux-agent/assistant-ui': () => import('redux-agent/assistant-ui'),
  'redux-agent/testing': () => import('redux-agent/testing'),
  'redux-agent/adapters/ai-sdk': () => import('redux-agent/adapters/ai-sdk'),
  'redux-agent/adapters/ag-ui': () => import('redux-agent/adapters/ag-ui'),
  'redux-agent/adapters/run-server': () => import('redux-agent/adapters/run-server'),
  'redux-agent/adapters/openai-chat': () => import('redux-agent/adapters/openai-chat'),
  'redux-agent/adapters/openai-responses': () => import('redux-agent/adapters/openai-responses'),
}

describe('docs/api.md', () => {
  it('is what `npm run docs:api` makes of the doc comments', () => {
    expect(document, 'docs/api.md is not up to date: run `npm run docs:api`').toBe(writeApi())
  })

  it('is made of every entry', () => {
    expect(Object.keys(modules).sort()).toEqual([...entries.keys()].sort())
  })

  it.each(Object.keys(modules))('has each value that %s exports, with a signature and a sentence', async (entry) => {
    const section = document.split(`\n## ${entry}\n`)[1]?.split('\n## ')[0] ?? ''
    const described = [...section.matchAll(/^### (\w+)\n\n`(?:new )?\1[(<:].*`\n(?:\n`.*`\n)*\n\w.*$/gm)]
    expect(described.map(([, name]) => name)).toEqual(Object.keys(await modules[entry]!()).sort())
  })
})

describe('the reader of doc comments', () => {
  const createReader = (code: string) => {
    const { path, host } = createExampleHost(code, options)
    return createApiReader(new Map([['example', path]]), { ...options, types: [] }, host)
  }

  it('gives a function as it is called, its first sentence and its options', () => {
    const code = `
      interface Base {
        /** How long. In all. */
        wait?: number | undefined
      }
      /** How it is done. */
      interface WorkOptions<Input> extends Base {
        input: Input // Not told.
        /**
         * Ends it.
         *
         * @experimental
         */
        end(): void
      }
      /**
       * Works (RFC, section 1)
       * until 1.0 is there. Then it ends.
       *
       * @experimental
       */
      export function work<Input>(options: WorkOptions<Input>, { times } = { times: 1 }): Promise<Input> {
        return Promise.resolve(options.input)
      }`
    expect(createReader(code).readExports('example')).toEqual([
      {
        name: 'work',
        signatures: ['work<Input>(options: WorkOptions<Input>, options?: { times: number }): Promise<Input>'],
        summary: 'Works until 1.0 is there.',
        isExperimental: true,
        codes: [],
        options: [
          { declaration: 'input: Input', summary: '', isExperimental: false },
          { declaration: 'end(): void', summary: 'Ends it.', isExperimental: true },
          { declaration: 'wait?: number | undefined', summary: 'How long.', isExperimental: false },
        ],
      },
    ])
  })

  it('gives a class as it is made and the codes of an error, a constant by its type, and no types', () => {
    const code = `
      type Code = 'b' | 'a'
      /** Fails. */ export class Fault extends Error { constructor(readonly code: Code, message = '') { super(message) } }
      /** Names. */ export const names: readonly string[] = []
      /** Called twice. */ export function over(value: string): string
      export function over(value: number): number
      export function over(value: unknown): unknown { return value }
      /** No value. */ export interface Shape { a: 1 }`
    const read = createReader(code).readExports('example')
    expect(read.map(({ signatures, codes }) => ({ signatures, codes }))).toEqual([
      { signatures: ['new Fault(code: Code, message?: string)'], codes: ['a', 'b'] },
      { signatures: ['names: readonly string[]'], codes: [] },
      { signatures: ['over(value: string): string', 'over(value: number): number'], codes: [] },
    ])
  })

  it('says which entry or type is not there', () => {
    expect(() => createReader('const a = 1').readExports('example')).toThrow('example exports nothing')
    expect(() => createReader('export const a = 1').readMembers('example', 'Shape')).toThrow('example has no type Shape')
  })
})
