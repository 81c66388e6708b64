// `npm run size`: what each entry of the built package weighs, against its budget.
import { root } from '../support/root.ts'
import { measureEntries } from './measureEntries.ts'

const sizes = await measureEntries(root)
const format = (bytes: number): string => `${(bytes / 1000).toFixed(2)} kB`

console.table(
  Object.fromEntries(
    sizes.map(({ entry, gzipBytes, budget }) => [entry, { 'min + gzip': format(gzipBytes), budget: format(budget) }]),
  ),
)
const tooBig = sizes.filter(({ gzipBytes, budget }) => gzipBytes > budget)
if (tooBig.length > 0) {
  console.error(`Over budget: ${tooBig.map(({ entry }) => entry).join(', ')}. See test/package/measureEntries.ts.`)
  process.exitCode = 1
}
