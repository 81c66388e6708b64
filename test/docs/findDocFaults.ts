import ts from 'typescript'

/**
 * Tells which exports of entries have no doc comment, or are functions without one `@example`: `entry: name fault`.
 */
export function findDocFaults(
  entries: ReadonlyMap<string, string>,
  options: ts.CompilerOptions,
  host?: ts.CompilerHost,
): readonly string[] {
  const program = ts.createProgram([...entries.values()], options, host)
  const checker = program.getTypeChecker()
  return [...entries].flatMap(([entry, path]) => {
    const source = program.getSourceFile(path)
    const module = source && checker.getSymbolAtLocation(source)
    if (!module) return [`${entry}: is no module`]
    return checker.getExportsOfModule(module).flatMap((exported) => {
      const symbol = exported.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(exported) : exported
      return findFaults(symbol, checker).map((fault) => `${entry}: ${exported.name} ${fault}`)
    })
  })
}

function findFaults(symbol: ts.Symbol, checker: ts.TypeChecker): readonly string[] {
  const text = ts.displayPartsToString(symbol.getDocumentationComment(checker))
  const examples = symbol.getJsDocTags(checker).filter(({ name }) => name === 'example')
  const faults: string[] = []
  if (text.trim() === '') faults.push('has no doc comment')
  if (isFunction(symbol, checker) && examples.length !== 1) faults.push(`has ${examples.length} examples, not one`)
  if (examples.some((example) => ts.displayPartsToString(example.text).trim() === '')) faults.push('has an empty example')
  return faults
}

const isFunction = (symbol: ts.Symbol, checker: ts.TypeChecker) =>
  (symbol.flags & ts.SymbolFlags.Value) !== 0 && checker.getTypeOfSymbol(symbol).getCallSignatures().length > 0
