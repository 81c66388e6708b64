// `npm run size`: what each entry of the built package weighs, against its budget.
import { root } from '../support/root.ts'
import { measureEntries } from './measureEntries.ts'

const sizes = await measureEntries(root)
const format = (bytes: number, budget: number): string => `${(bytes / 1000).toFixed(2)} of ${(budget / 1000).toFixed(1)}`

console.log('kB, minified and gzipped, of what the budget allows:')
console.table(
  Object.fromEntries(
    sizes.map(({ entry, own, total, budget }) => [
      entry,
      { 'own code': format(own, budget.own), 'with dependencies': format(total, budget.total) },
    ]),
  ),
)
const tooBig = sizes.filter(({ fits }) => !fits)
if (tooBig.length > 0) {
  console.error(`Over budget: ${tooBig.map(({ entry }) => entry).join(', ')}. See test/package/measureEntries.ts.`)
  process.exitCode = 1
}
