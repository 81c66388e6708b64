import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../support/root.ts'
import { writeApi } from './writeApi.ts'

/** `npm run docs:api`: writes docs/api.md anew. */
writeFileSync(join(root, 'docs/api.md'), writeApi())
