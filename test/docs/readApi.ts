import ts from 'typescript'
import { printSignature, printText, printType } from './printSignature.ts'

/** A member of a type: an option, a property, an action, a hook. */
export interface ApiMember {
  /** As its declaration states it: `reducerPath?: Path`, `abort(): void`. */
  readonly declaration: string
  readonly summary: string
  readonly isExperimental: boolean
}

/** A value that an entry exports, as its doc comment and its declaration tell of it. */
export interface ApiExport {
  readonly name: string
  /** How it is called, made or typed; one for each overload. */
  readonly signatures: readonly string[]
  /** The first sentence of its doc comment. */
  readonly summary: string
  readonly isExperimental: boolean
  /** Of an error, the literal codes that it can have. */
  readonly codes: readonly string[]
  /** Of a function that takes options, or of a component, what can be given, and by which type. */
  readonly options: readonly ApiMember[]
}

/** Reads what entries export: their values, and the members of a type. */
export interface ApiReader {
  /** The values of an entry, by their names in alphabetical order. */
  readExports(entry: string): readonly ApiExport[]
  /** @throws Error where the entry has no such type */
  readMembers(entry: string, typeName: string): readonly ApiMember[]
}

/** Makes a reader of the package's entries, given by the path of their source. */
export function createApiReader(
  entries: ReadonlyMap<string, string>,
  options: ts.CompilerOptions,
  host?: ts.CompilerHost,
): ApiReader {
  const program = ts.createProgram([...entries.values()], options, host)
  const checker = program.getTypeChecker()
  const listExports = (entry: string) => {
    const source = program.getSourceFile(entries.get(entry) ?? '')
    const module = source && checker.getSymbolAtLocation(source)
    if (!module) throw new Error(`${entry} exports nothing: it is no module.`)
    return checker.getExportsOfModule(module).map((exported) => ({
      name: exported.name,
      symbol: exported.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(exported) : exported,
    }))
  }
  return {
    readExports: (entry) =>
      listExports(entry)
        .filter(({ symbol }) => (symbol.flags & ts.SymbolFlags.Value) !== 0)
        .map(({ name, symbol }) => describeExport(name, symbol, checker))
        .sort((one, other) => (one.name < other.name ? -1 : 1)),
    readMembers(entry, typeName) {
      const found = listExports(entry).find(({ name }) => name === typeName)
      if (!found) throw new Error(`${entry} has no type ${typeName}.`)
      return describeMembers(checker.getDeclaredTypeOfSymbol(found.symbol), checker)
    },
  }
}

function describeExport(name: string, symbol: ts.Symbol, checker: ts.TypeChecker): ApiExport {
  const type = checker.getTypeOfSymbol(symbol)
  const made = type.getConstructSignatures()
  const called = type.getCallSignatures()
  const { valueDeclaration: value } = symbol
  const written = value && ts.isVariableDeclaration(value) ? value.type : undefined
  const signatures =
    made.length > 0
      ? made.map((signature) => `new ${printSignature(name, signature, checker, { isResultShown: false })}`)
      : called.map((signature) => printSignature(name, signature, checker))
  return {
    name,
    signatures: signatures.length > 0 ? signatures : [`${name}: ${written ? printText(written) : printType(type, checker)}`],
    ...describe(symbol, checker),
    codes: made.flatMap((signature) => readCodes(signature.getReturnType(), checker)),
    options: [...new Set(called.flatMap((signature) => readOptionsType(signature, checker)))].flatMap((options) =>
      describeMembers(options, checker),
    ),
  }
}

const describe = (symbol: ts.Symbol, checker: ts.TypeChecker) => ({
  summary: readSummary(ts.displayPartsToString(symbol.getDocumentationComment(checker))),
  isExperimental: symbol.getJsDocTags(checker).some((tag) => tag.name === 'experimental'),
})

/** The first sentence, without what refers to the papers that the package was built by. */
const readSummary = (comment: string): string =>
  (/^.*?\.(?=\s|$)/s.exec(comment)?.[0] ?? comment).replaceAll(/\s+/g, ' ').replaceAll(/ ?\((?:RFC|design)[^)]*\)/g, '')

function readCodes(type: ts.Type, checker: ts.TypeChecker): readonly string[] {
  const code = type.getProperty('code')
  if (!code) return []
  const types = checker.getTypeOfSymbol(code)
  return (types.isUnion() ? types.types : [types]).flatMap((one) => (one.isStringLiteral() ? [one.value] : [])).sort()
}

/** The types of a function's parameters that are named as its options or as a component's props. */
const readOptionsType = (signature: ts.Signature, checker: ts.TypeChecker): readonly ts.Type[] =>
  signature.getParameters().flatMap((parameter) => {
    const type = checker.getNonNullableType(checker.getTypeOfSymbol(parameter))
    return /(?:Options|Props)$/.test((type.aliasSymbol ?? type.symbol)?.name ?? '') ? [type] : []
  })

const describeMembers = (type: ts.Type, checker: ts.TypeChecker): readonly ApiMember[] =>
  checker.getPropertiesOfType(type).flatMap((member) => {
    const declaration = member.declarations?.[0]
    if (!declaration) return []
    return [{ declaration: printText(declaration).replace(/^readonly /, ''), ...describe(member, checker) }]
  })
