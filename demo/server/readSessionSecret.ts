import { randomBytes } from 'node:crypto'
import { linkSync, readFileSync, rmSync, writeFileSync } from 'node:fs'

/** Whoever guesses it is anybody. */
const minLength = 32

/**
 * Reads the secret that signs cookies from a file; the first start makes it, for this user's eyes alone. It is there
 * whole or not at all: a start that is cut off, or another one at the same time, must not sign with a part of it.
 *
 * @throws Error where the file holds less than a secret.
 */
export function readSessionSecret(path: string): string {
  const made = `${path}.${process.pid}`
  try {
    writeFileSync(made, randomBytes(32).toString('base64url'), { mode: 0o600, flush: true })
    linkSync(made, path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  } finally {
    rmSync(made, { force: true })
  }
  const secret = readFileSync(path, 'utf8')
  if (secret.length >= minLength) return secret
  throw new Error(
    `${path} holds fewer than ${minLength} characters, which anybody could guess. Remove it, so that the next start ` +
      'makes another; everybody then gets a new cookie.',
  )
}
