import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

// A context that is made before the flag does not have it.
setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as (options: { type: 'minor' }) => void

/**
 * Moves all that lives out of V8's young space, as it is with a page that has stood for a while: moving the page that
 * was made a moment ago would else be counted as the work of what is measured. Compiled code stays, other than with a
 * full collection.
 */
export function ageHeap(): void {
  // What survives two collections is old.
  collect({ type: 'minor' })
  collect({ type: 'minor' })
}
