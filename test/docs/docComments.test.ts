import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import manifest from '../../package.json' with { type: 'json' }
import { createExampleHost } from './createExampleHost.ts'
import { findDocFaults } from './findDocFaults.ts'
import { readEntries } from './readEntries.ts'

const { entries, options } = readEntries()

describe('the doc comments of the package', () => {
  it('are read from every entry that is published', () => {
    const published = Object.keys(manifest.exports).filter((entry) => !/\.(css|json)$/.test(entry))
    expect([...entries.keys()].sort()).toEqual(published.map((entry) => join('redux-agent', entry)).sort())
  })

  it('are there for every export, with one example for every function', () => {
    expect(findDocFaults(entries, options)).toEqual([])
  })
})

describe('the check of doc comments', () => {
  const check = (code: string) => {
    const { path, host } = createExampleHost(code, options)
    return findDocFaults(new Map([['example', path]]), { ...options, types: [] }, host)
  }

  it('finds what has none, whatever kind it is', () => {
    expect(check('export type A = 1\nexport const b = 1\nexport class C {}\n')).toEqual([
      'example: A has no doc comment',
      'example: b has no doc comment',
      'example: C has no doc comment',
    ])
  })

  it('finds functions without an example, with an empty one and with two', () => {
    const code = [
      '/** Adds. */ export function one() {}',
      '/** Adds. @example */ export const two = () => 1',
      '/**\n * Adds.\n * @example a\n * @example b\n */\nexport function three() {}',
      '/**\n * Adds.\n *\n * @example\n * four()\n */\nexport function four() {}',
    ].join('\n')
    expect(check(code)).toEqual([
      'example: one has 0 examples, not one',
      'example: three has 2 examples, not one',
      'example: two has an empty example',
    ])
  })
})
