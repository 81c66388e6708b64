// An oxlint plugin: who may import what (rules by pattern cannot tell `../store` of the package from one of the demo),
// and how lists and records from outside are checked.
import { dirname, relative, resolve, sep } from 'node:path'

/**
 * The folders that a file of a folder may import by path, besides its own.
 *
 * @type {Map<string, readonly string[]>}
 */
const allowedFolders = new Map([
  ['src', []],
  ['store', ['src']],
  ['features', ['store', 'src']],
  ['demo', []],
  ['test', ['demo']],
])

/**
 * Files of `test` that may import the package's files by path, each with its reason.
 *
 * @type {Map<string, string>}
 */
const deepImportExceptions = new Map([])

const react = /^react(-dom|-redux)?(\/|$)/
const library = ['src', 'store', 'features']

const packageRules = [
  { packages: react, folders: ['src', 'store'], reason: 'what needs React belongs in features' },
  { packages: /^(redux|immer|reselect|@reduxjs\/.*)$/, folders: ['src'], reason: 'src is the core without Redux' },
  { packages: /^zod(\/(?!mini$)|$)/, folders: library, reason: "'zod/mini' does not trip a strict CSP" },
  { packages: /^node:/, folders: library, reason: 'the package runs in any JavaScript runtime' },
  { packages: /^redux-agent(\/|$)/, folders: library, reason: 'inside the package, import the file itself' },
  {
    packages: /^redux-persist(\/|$)/,
    folders: library,
    except: /(^|\/)createPersistCheckpointStorage\.ts$/,
    reason: 'only createPersistCheckpointStorage.ts imports it, so that an app pays for it only when it uses it',
  },
  {
    packages: /^@reduxjs\/toolkit\/query(\/|$)/,
    folders: library,
    except: /(^|\/)store\/rtkQuery\/[^/]+\.ts$/,
    reason: 'only store/rtkQuery imports it, so that an app pays for it only when it uses it',
  },
]

/**
 * What is wrong with importing `specifier` from `file` (relative to the root, with slashes), if anything.
 *
 * @param {string} file
 * @param {string} specifier
 * @returns {string | undefined}
 */
function findFault(file, specifier) {
  const [folder = ''] = file.split('/')
  if (!specifier.startsWith('.')) {
    const rule = packageRules.find(
      ({ packages, folders, except }) =>
        packages.test(specifier) && folders.includes(folder) && except?.test(file) !== true,
    )
    return rule && `${folder} must not import '${specifier}' here: ${rule.reason}.`
  }
  const allowed = allowedFolders.get(folder)
  const target = toSlashes(relative('.', resolve(dirname(file), specifier))).split('/')[0] ?? ''
  if (!allowed || target === folder || !allowedFolders.has(target) || allowed.includes(target)) return undefined
  if (folder === 'test' && deepImportExceptions.has(file)) return undefined
  return library.includes(folder)
    ? `${folder} must not import ${target}: imports go features → store → src.`
    : `${folder} must not reach into ${target}: import the package's entry ('redux-agent…').`
}

/** @param {string} path */
const toSlashes = (path) => path.split(sep).join('/')

/**
 * @typedef {{ value?: unknown }} Source
 * @typedef {{ cwd: string, filename: string, report: (finding: { node: Source, message: string }) => void }} Context
 */

const rule = {
  /** @param {Context} context */
  create(context) {
    const file = toSlashes(relative(context.cwd, context.filename))
    /** @param {{ source: Source | null }} node */
    const check = ({ source }) => {
      if (typeof source?.value !== 'string') return
      const message = findFault(file, source.value)
      if (message) context.report({ node: source, message })
    }
    return {
      ImportDeclaration: check,
      ImportExpression: check,
      ExportAllDeclaration: check,
      ExportNamedDeclaration: check,
    }
  },
}

/** What reads each entry of a list or record from outside, whatever it found wrong with those before. */
const endless = new Set(['array', 'record', 'partialRecord', 'looseRecord', 'map', 'set'])
/** @type {ReadonlyMap<string, string>} */
const homes = new Map([
  ...library.map((folder) => /** @type {const} */ ([folder, 'listOf, parsedListOf or idRecord'])),
  ['demo/server', 'listOf or shortListOf of demo/server'],
])

/**
 * @typedef {{ type: string, name?: string, object?: Node, property?: Node, callee?: Node, arguments?: Node[] }} Node
 */

/** @param {Node | undefined} node */
const calledOfZod = (node) =>
  node?.type === 'CallExpression' && node.callee?.type === 'MemberExpression' && node.callee.object?.name === 'z'
    ? node.callee.property?.name
    : undefined

/**
 * @param {Node} node
 * @returns {boolean}
 */
const readsEachEntry = (node) => {
  const called = calledOfZod(node) ?? ''
  // `z.string().array()` is a list as well, and what follows the entries of a tuple is one.
  const isMethod = node.callee?.property?.name === 'array' && node.arguments?.length === 0
  const hasRest = called === 'tuple' && node.arguments?.length === 2
  return endless.has(called) || isMethod || hasRest
}

const endlessIssues = {
  /** @param {Context} context */
  create(context) {
    const [folder = '', inner] = toSlashes(relative(context.cwd, context.filename)).split('/')
    const home = homes.get(folder) ?? homes.get(`${folder}/${inner}`)
    if (home === undefined) return {}
    return {
      /** @param {Node & Source} node */
      CallExpression(node) {
        // What takes anything finds nothing wrong.
        if (!readsEachEntry(node) || calledOfZod(node.arguments?.at(-1)) === 'unknown') return
        const message = `zod's own notes what is wrong with every entry, which throws where these are many: use ${home}.`
        context.report({ node, message })
      },
    }
  },
}

export default {
  meta: { name: 'redux-agent' },
  rules: { 'import-direction': rule, 'endless-issues': endlessIssues },
}
