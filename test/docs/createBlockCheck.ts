import { dirname, join } from 'node:path'
import ts from 'typescript'
import { root } from '../support/root.ts'
import type { CodeBlock } from './readCodeBlocks.ts'

/**
 * Makes a check that compiles code blocks together, each a module of its own, against the package's entries.
 * A block that begins with `// file: store.ts` is that file for the other blocks of its document.
 * The check returns one line a fault, `document:line message`; what it parsed is kept for its next call.
 */
export const createBlockCheck = (): ((blocks: readonly CodeBlock[]) => readonly string[]) => {
  const options = readOptions()
  const parsed: ParsedFiles = new Map()
  return (blocks) => checkBlocks(blocks, options, parsed)
}

type ParsedFiles = Map<string, ts.SourceFile | undefined>

const checkBlocks = (
  blocks: readonly CodeBlock[],
  options: ts.CompilerOptions,
  parsed: ParsedFiles,
): readonly string[] => {
  const files = new Map<string, CodeBlock>()
  const faults: string[] = []
  for (const block of blocks) {
    const path = getPath(block)
    if (files.has(path)) faults.push(`${block.document}:${block.line} is a file that an earlier block is already.`)
    files.set(path, block)
  }
  if (files.size === 0) return []

  const program = ts.createProgram([...files.keys()], options, createHost(files, options, parsed))
  for (const [path, block] of files) {
    const source = program.getSourceFile(path)
    for (const { messageText, start } of [
      ...program.getSyntacticDiagnostics(source),
      ...program.getSemanticDiagnostics(source),
    ]) {
      const line = block.line + (source?.getLineAndCharacterOfPosition(start ?? 0).line ?? 0)
      faults.push(`${block.document}:${line} ${ts.flattenDiagnosticMessageText(messageText, '\n')}`)
    }
  }
  return faults
}

const getPath = ({ document, language, line, code }: CodeBlock): string => {
  const name = /^\/\/ file: (\S+)/.exec(code)?.[1] ?? `block-at-line-${line}.${language}`
  return ts.sys.resolvePath(join(root, 'test/docs/blocks', document, name))
}

const readOptions = (): ts.CompilerOptions => {
  const { config } = ts.readConfigFile(join(root, 'tsconfig.json'), ts.sys.readFile) as { config: unknown }
  return {
    ...ts.parseJsonConfigFileContent(config, ts.sys, root).options,
    // An example shows a piece; what uses it stands elsewhere.
    noUnusedLocals: false,
    noUnusedParameters: false,
    moduleDetection: ts.ModuleDetectionKind.Force,
    types: ['node', 'vite/client'],
  }
}

/** The files of the disk, and the blocks as if they were there. */
const createHost = (
  files: ReadonlyMap<string, CodeBlock>,
  options: ts.CompilerOptions,
  parsed: ParsedFiles,
): ts.CompilerHost => {
  const disk = ts.createCompilerHost(options)
  const parse = disk.getSourceFile
  const folders = new Set([...files.keys()].flatMap(getParents))
  return Object.assign(disk, {
    fileExists: (path: string) => files.has(path) || ts.sys.fileExists(path),
    readFile: (path: string) => files.get(path)?.code ?? ts.sys.readFile(path),
    getSourceFile: (path: string, language: ts.ScriptTarget | ts.CreateSourceFileOptions) => {
      if (files.has(path)) return parse(path, language)
      if (!parsed.has(path)) parsed.set(path, parse(path, language))
      return parsed.get(path)
    },
    directoryExists: (path: string) => folders.has(path) || ts.sys.directoryExists(path),
  })
}

const getParents = (path: string): readonly string[] => {
  const parent = dirname(path)
  return parent === path ? [] : [parent, ...getParents(parent)]
}
