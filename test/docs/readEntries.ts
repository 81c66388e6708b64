import { join } from 'node:path'
import ts from 'typescript'
import { root } from '../support/root.ts'

export interface PackageEntries {
  /** The source of each entry, by the name that an app imports. */
  readonly entries: ReadonlyMap<string, string>
  readonly options: ts.CompilerOptions
}

/** Reads from tsconfig.json where the entries of the package are, and how they are compiled. */
export function readEntries(): PackageEntries {
  const { config } = ts.readConfigFile(join(root, 'tsconfig.json'), ts.sys.readFile) as {
    config: { compilerOptions: { paths: Record<string, string[]> } }
  }
  const { options } = ts.parseJsonConfigFileContent(config, ts.sys, root)
  const entries = Object.entries(config.compilerOptions.paths)
    .filter(([name]) => !name.endsWith('.css'))
    .map(([name, [path]]) => [name, join(root, path!)] as const)
  return { entries: new Map(entries), options }
}
