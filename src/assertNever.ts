/** Ends an exhaustive switch: a new member of the union is a type error here, an unknown one at run time throws. */
export function assertNever(value: never): never {
  throw new TypeError(`Unexpected value: ${typeof value === 'string' ? value : typeof value}.`)
}
