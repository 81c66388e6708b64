import { expect, it } from 'vitest'
import { root } from '../support/root.ts'
import { runCommand } from '../support/runCommand.ts'

it.each([
  ['its types are right', 'types'],
  ['no lint rule is broken', 'lint'],
  ['nothing in it is dead', 'dead'],
])('the repository is clean: %s', async (_name, script) => {
  await expect(runCommand('npm', ['run', '--silent', script], { cwd: root })).resolves.toBeTypeOf('string')
})
