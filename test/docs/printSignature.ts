import ts from 'typescript'

const printer = ts.createPrinter({ removeComments: true })

/** The text of a node on one line, without comments, as it is written. */
export const printText = (node: ts.Node): string =>
  toLine(printer.printNode(ts.EmitHint.Unspecified, node, node.getSourceFile()))

/** The text of a type that nobody wrote. */
export const printType = (type: ts.Type, checker: ts.TypeChecker): string =>
  toLine(checker.typeToString(type, undefined, ts.TypeFormatFlags.NoTruncation))

const toLine = (text: string) =>
  text
    .replaceAll(/\s+/g, ' ')
    .replace(/;$/, '')
    .replaceAll('; }', ' }')
    .replaceAll('"', "'")
    .replaceAll(/([[(<]) | (?=\])/g, '$1')

/** Prints how a function is called, or a class made: its types as they are written, without bodies and defaults. */
export function printSignature(
  name: string,
  signature: ts.Signature,
  checker: ts.TypeChecker,
  { isResultShown = true } = {},
): string {
  const declaration = signature.getDeclaration() as ts.SignatureDeclaration | undefined
  if (!declaration) return `${name}${checker.signatureToString(signature)}`
  const owner = ts.isConstructorDeclaration(declaration) ? declaration.parent : declaration
  const types = owner.typeParameters?.map(printText) ?? []
  const parameters = declaration.parameters.map((parameter) => {
    // What is taken apart at once has no name; its type says what it is.
    const given = ts.isIdentifier(parameter.name) ? parameter.name.text : /^[A-Z]/.test(name) ? 'props' : 'options'
    const isOptional = parameter.initializer !== undefined || parameter.questionToken !== undefined
    const type = parameter.type ? printText(parameter.type) : printType(checker.getTypeAtLocation(parameter), checker)
    return `${parameter.dotDotDotToken ? '...' : ''}${given}${isOptional ? '?' : ''}: ${type}`
  })
  const result = declaration.type ? printText(declaration.type) : printType(signature.getReturnType(), checker)
  const called = `${name}${types.length > 0 ? `<${types.join(', ')}>` : ''}(${parameters.join(', ')})`
  return isResultShown ? `${called}: ${result.replace(/^Element\b/, 'JSX.Element')}` : called
}
