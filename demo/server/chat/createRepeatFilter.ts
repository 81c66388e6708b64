/**
 * Makes a filter for the text of an answer that continues another: some models go on where that ends, some say it all
 * again, and then what stands already is left out. What only begins like it is kept back until it is known which.
 */
export function createRepeatFilter(said: string): (delta: string) => string {
  let held = ''
  let isDone = said === ''
  return (delta) => {
    if (isDone) return delta
    held += delta
    if (held.length < said.length && said.startsWith(held)) return ''
    isDone = true
    return held.startsWith(said) ? held.slice(said.length) : held
  }
}
