/** Ends a switch over a closed union: a member that was added and forgotten is a type error here. */
export function assertNever(value: never): never {
  throw new TypeError(`No case handles this value: ${String(value)}.`)
}
