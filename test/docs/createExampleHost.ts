import { join } from 'node:path'
import ts from 'typescript'
import { root } from '../support/root.ts'

/** Makes a host for a compiler that reads the disk, and one file beside it that is not there. */
export function createExampleHost(
  code: string,
  options: ts.CompilerOptions,
): { readonly path: string; readonly host: ts.CompilerHost } {
  const path = join(root, 'test/docs/example.ts')
  const disk = ts.createCompilerHost(options)
  const host: ts.CompilerHost = {
    ...disk,
    fileExists: (file) => file === path || disk.fileExists(file),
    readFile: (file) => (file === path ? code : disk.readFile(file)),
    getSourceFile: (file, ...rest) =>
      file === path ? ts.createSourceFile(file, code, ts.ScriptTarget.ES2022, true) : disk.getSourceFile(file, ...rest),
  }
  return { path, host }
}
